/** Keeps words out of names that only their inventors would understand; docs/glossary.md has the ones to use. */
import { violationsOf, withoutComments, type TidyRule } from "./source.ts";

/** Each with what engineers of the field say instead. */
const invented: Readonly<Record<string, string>> = {
  door: "client or listener",
  doors: "clients or listeners",
  errand: "request",
  heart: "heartbeat",
  kept: "stored, cached or retained",
  lodging: "the place by what it is",
  means: "deps",
  mood: "behaviour",
  near: "vector search",
  rouse: "wake",
  temper: "behaviour",
  told: "reported, notified or known",
  wish: "request",
  wishes: "requests",
};

/** Names on the wire or in a database, and an operator that a test makes up. */
const allowed = new Set(["kept_", "keptTable", "$near"]);

const identifier = /[A-Za-z_$][\w$]*/g;
const literal =
  /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|(?<=[=(,:[!&|?{};\n]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\//g;

/** The words of a name: `keptRows` has "kept" and "rows". */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);

const inventedIn = (name: string): string | undefined =>
  allowed.has(name) ? undefined : wordsOf(name).find((word) => Object.hasOwn(invented, word));

const advice = (name: string, word: string): string => `${name}: say ${invented[word]} instead of ${word}`;

export const namesArePlain: TidyRule = (files) =>
  files
    .filter(({ path }) => path.startsWith("src/") && path.endsWith(".ts"))
    .flatMap(({ path, text }) => {
      const code = withoutComments(text).replaceAll(literal, (found) => found.replaceAll(/[^\n]/g, " "));
      const fileName = path.split("/").at(-1) ?? "";
      const word = inventedIn(fileName);
      const file = word === undefined ? [] : [{ path, line: 1, message: advice(fileName, word) }];
      const names = violationsOf(path, code, {
        pattern: identifier,
        message: ([name]) => {
          const found = inventedIn(name);
          return found === undefined ? "" : advice(name, found);
        },
      });
      return [...file, ...names.filter(({ message }) => message !== "")];
    });
