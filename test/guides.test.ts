/** What guides name is there: error codes, commands and npm scripts. */
import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const read = (path: string): string => readFileSync(path, "utf8");
const codes = new Set(
  [...read("docs/reference/errors.md").matchAll(/^\| `([A-Za-z_]+)` \|/gm)].map(([, c]) => c),
);
const commands = new Set([...read("docs/reference/cli.md").matchAll(/^## plinth (.+)$/gm)].map(([, c]) => c));
/** Without their last words: `token` and `token account` of `token account set`. */
const groups = new Set(
  [...commands].flatMap((command = "") => {
    const words = command.split(" ");
    return words.slice(1).map((_, index) => words.slice(0, index + 1).join(" "));
  }),
);
const scripts = new Set(Object.keys(JSON.parse(read("package.json")).scripts));
const guides = ["README.md", "CONTRIBUTING.md", ...globSync("docs/guides/*.md")];

const isCommand = (words: string): boolean => {
  const [first = "", second = ""] = words.split(" ");
  const isGroup = second === "" ? groups.has(first) : groups.has(`${first} ${second}`);
  return commands.has(first) || commands.has(`${first} ${second}`) || isGroup;
};

/** Names of things that a text has and that are not there. */
function unknownNames(text: string): string[] {
  const named = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = ""]) => name);
  return [
    ...named(/`((?:AUTH|BUILDER|COORD|CGP|GRAPHQL|ASSISTANT|UPGRADE|CLI|DATA_LAYER)_[A-Z_]+)`/g).filter(
      (code) => !codes.has(code),
    ),
    ...named(/(?:`|-- |^|\s{4})plinth ([a-z]+(?: [a-z-]+)?)/gm).filter((words) => !isCommand(words)),
    ...named(/npm run (?:-s |--silent )?([a-z0-9:-]+)/g).filter((script) => !scripts.has(script)),
  ];
}

it.each(guides)("%s names what there is", (path) => {
  expect(unknownNames(read(path))).toEqual([]);
});

describe("the check", () => {
  it.each([
    ["`COORD_OF_NOWHERE`", "COORD_OF_NOWHERE"],
    ["run `plinth frobnicate now`", "frobnicate now"],
    ["npm run -s no:such", "no:such"],
  ])("finds %s", (text, name) => expect(unknownNames(text)).toEqual([name]));
});
