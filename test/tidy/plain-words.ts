/** Keeps words out of names that only their inventors would understand; docs/glossary.md has the ones to use. */
import { violationsOf, withoutComments, type TidyRule } from "./source.ts";

/** Each with what engineers of the field say instead. */
const invented: Readonly<Record<string, string>> = {
  door: "client or listener",
  doors: "clients or listeners",
  errand: "request",
  errands: "requests",
  heart: "heartbeat",
  house: "the repository, or the thing by what it is",
  kept: "stored, cached or retained",
  lodging: "the place by what it is",
  means: "deps",
  mood: "behaviour",
  near: "vector search, or the client's side",
  room: "folder",
  rooms: "folders",
  rouse: "wake",
  scene: "context, or the unit under test",
  strand: "connection",
  strands: "connections",
  stranger: "another user, or what is unknown of it",
  temper: "behaviour",
  told: "reported, notified or known",
  turn: "round, pass or step; only a model of the assistant has turns",
  turns: "rounds, passes or steps; only a model of the assistant has turns",
  visitor: "caller or reader",
  visitors: "callers or readers",
  weather: "conditions",
  wish: "request",
  wished: "requested",
  wishes: "requests",
};

/** Names on the wire or in a database, an operator that a test makes up, and the place of an operation in its queue. */
const allowed = new Set(["kept_", "keptTable", "$near", "turnAt", "atItsTurn"]);

/** Code about models and the assistant, where a turn is one call of a model with its answer. */
const aboutModels = /(?:^|\/)(?:assistant|scripted-model)[/-]|^bench\/peers\/streams/;

/** The list above. */
const ownPath = "test/tidy/plain-words.ts";

const identifier = /[A-Za-z_$][\w$]*/g;
const literal =
  /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|(?<=[=(,:[!&|?{};\n]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\//g;

/** The words of a name: `keptRows` has "kept" and "rows". */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);

const inventedIn = (path: string, name: string): string | undefined =>
  allowed.has(name)
    ? undefined
    : wordsOf(name).find(
        (word) => Object.hasOwn(invented, word) && !(/^turns?$/.test(word) && aboutModels.test(path)),
      );

const advice = (name: string, word: string): string => `${name}: say ${invented[word]} instead of ${word}`;

export const namesArePlain: TidyRule = (files) =>
  files
    .filter(({ path }) => /^(?:src|test|bench|examples|scripts)\/.*\.ts$/.test(path) && path !== ownPath)
    .flatMap(({ path, text }) => {
      const code = withoutComments(text).replaceAll(literal, (found) => found.replaceAll(/[^\n]/g, " "));
      const fileName = path.split("/").at(-1) ?? "";
      const word = inventedIn(path, fileName);
      const file = word === undefined ? [] : [{ path, line: 1, message: advice(fileName, word) }];
      const names = violationsOf(path, code, {
        pattern: identifier,
        message: ([name]) => {
          const found = inventedIn(path, name);
          return found === undefined ? "" : advice(name, found);
        },
      });
      return [...file, ...names.filter(({ message }) => message !== "")];
    });
