/** Help and completion are made of the one definition of the commands; both are tried on all of them. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Command } from "commander";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildProgram } from "../program.ts";
import { run, silentCli } from "../testdata.ts";
import { allEntries, commandTable } from "./command-table.ts";
import { examplesOf } from "./examples.ts";

const program = buildProgram(silentCli(), async () => undefined);
const entries = allEntries(commandTable(program));

const commandAt = (path: string): Command =>
  path === ""
    ? program
    : path.split(" ").reduce((at, name) => at.commands.find((each) => each.name() === name)!, program);

/** The words of a line of a shell, as far as the examples need it. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, inQuotes, bare]) => inQuotes ?? bare ?? "");

describe("help", () => {
  test.each(entries.map(({ path }) => path))("of `plinth %s` has an example", async (path) => {
    const { code, out } = await run([...path.split(" ").filter(Boolean), "--help"]);
    expect(code).toBe(0);
    expect(out).toMatch(/\nExamples:\n {2}plinth /);
  });

  const lines = entries.flatMap(({ path }) => examplesOf(commandAt(path), path));
  test.each([...new Set(lines)])("`%s` is a command line that is understood", async (line) => {
    for (const part of line.split(" | ")) {
      const [name, ...words] = wordsOf(part.replace(/ < \S+$/, ""));
      expect(name).toBe("plinth");
      let ranCount = 0;
      const fresh = buildProgram(silentCli(), async () => void (ranCount += 1));
      await fresh.parseAsync(words, { from: "user" });
      expect(ranCount).toBe(1);
    }
  });
});

describe("completion", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "plinth-completion-"));
    await writeFile(join(folder, "plinth.bash"), (await run(["completion", "bash"])).out);
    await writeFile(join(folder, "unit one.yaml"), "");
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** What bash offers for the last of the words. */
  const complete = async (...words: string[]): Promise<string[]> => {
    const script = `
      source ./plinth.bash
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _plinth
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)("bash", ["-c", script, "bash", "plinth", ...words], {
      cwd: folder,
    });
    return stdout.split("\n").filter((line) => line !== "");
  };

  test.each<[string[], string[]]>([
    [["li"], ["list"]],
    [["list", ""], commandAt("list").commands.map((each) => each.name())],
    [
      ["access", "re"],
      ["request", "revoke", "retry"],
    ],
    [["catalog", "locations", "a"], ["add"]],
    [["terminate", "--mo"], ["--mode"]],
    [
      ["terminate", "--mode", ""],
      ["safe", "forced"],
    ],
    [["terminate", "--mode", "=", "f"], ["forced"]],
    [["--url", "list", "stat"], []],
    [["status", "--url", "http://x", "--pl"], ["--plan"]],
    [["status", "--plan", "list", ""], []],
    [
      ["completion", ""],
      ["bash", "zsh", "fish"],
    ],
    [["plan", "un"], ["unit one.yaml"]],
    [["adapter", "check", "http://x", "--descriptor", "un"], ["unit one.yaml"]],
    [["watch", ""], []],
  ])("bash offers after %j", async (words, expected) => expect(await complete(...words)).toEqual(expected));

  test("bash offers every command and every option of all", async () => {
    // All in one process, or it would be started a hundred times.
    const script = `
      source ./plinth.bash
      while IFS= read -r line; do
        IFS=' ' read -ra COMP_WORDS <<< "$line"; COMP_WORDS+=("$1"); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _plinth
        echo "\${COMPREPLY[*]}" | tr '\\n' ' '; echo
      done`;
    const lines = entries.map(({ path }) => `plinth ${path}`).join("\n");
    const offered = async (last: string): Promise<string[]> => {
      const running = promisify(execFile)("bash", ["-c", script, "bash", last], { cwd: folder });
      running.child.stdin?.end(`${lines}\n`);
      return (await running).stdout.trimEnd().split("\n");
    };
    const words = await offered("");
    const options = await offered("-");
    entries.forEach((entry, at) => {
      const names = entry.children.map(({ path }) => path.split(" ").at(-1)!);
      if (names.length > 0) expect(words[at]!.trim().split(" ")).toEqual(names);
      const expected = entry.options.flatMap(({ short, long }) =>
        short === undefined ? [long] : [short, long],
      );
      expect(options[at]!.trim().split(" ")).toEqual(expected);
    });
  });

  test.each([
    ["zsh", /^#compdef plinth\n/, /'--mode:[^']*finish; forced/],
    ["fish", /complete -c plinth -f\n/, /-l mode -x -a 'safe forced'/],
  ])("%s has all commands and options too", async (shell, begins, choices) => {
    const { out } = await run(["completion", shell]);
    expect(out).toMatch(begins);
    expect(out).toMatch(choices);
    const texts = shell === "zsh" ? (name: string) => `'${name}:` : (name: string) => `'${name}'`;
    for (const { children, options } of entries) {
      for (const { path } of children) expect(out).toContain(texts(path.split(" ").at(-1)!));
      for (const { long } of options)
        expect(out).toContain(shell === "zsh" ? `'${long}:` : `-l ${long.slice(2)} `);
    }
  });

  test("another shell is refused", async () => {
    expect(await run(["completion", "tcsh"])).toMatchObject({ code: 2, out: "" });
  });
});
