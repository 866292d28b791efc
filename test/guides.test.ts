/** What guides name is there: error codes, commands and npm scripts. */
import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const read = (path: string): string => readFileSync(path, "utf8");
const codes = new Set(
  [...read("docs/reference/errors.md").matchAll(/^\| `([A-Za-z_]+)` \|/gm)].map(([, c]) => c),
);
const commands = new Set([...read("docs/reference/cli.md").matchAll(/^## plinth (.+)$/gm)].map(([, c]) => c));
const groups = new Set([...commands].map((command = "") => command.split(" ")[0]));
const scripts = new Set(Object.keys(JSON.parse(read("package.json")).scripts));
const guides = ["README.md", "CONTRIBUTING.md", ...globSync("docs/guides/*.md")];

const isCommand = (words: string): boolean => {
  const [first = "", second = ""] = words.split(" ");
  return commands.has(first) || commands.has(`${first} ${second}`) || (groups.has(first) && second === "");
};

/** Names of things that a text has and that are not there. */
function unknownNames(text: string): string[] {
  const named = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = ""]) => name);
  return [
    ...named(/`((?:BUILDER|COORD|CGP|GRAPHQL|ASSISTANT|UPGRADE|CLI|DATA_LAYER)_[A-Z_]+)`/g).filter(
      (code) => !codes.has(code),
    ),
    ...named(/(?:`|-- |^|\s{4})plinth ([a-z]+(?: [a-z-]+)?)/gm).filter((words) => !isCommand(words)),
    ...named(/npm run (?:-s |--silent )?([a-z:-]+)/g).filter((script) => !scripts.has(script)),
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
