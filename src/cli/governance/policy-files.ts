/** Policies as YAML files: one, or all of a folder. */
import { lstat, readdir } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { Failure, type Problem } from "../../platform/errors/failure.ts";
import type { Cli } from "../context.ts";
import { parseYamlMap, readDescriptorText } from "../descriptor-file.ts";
import { inputFailure } from "../exit-codes.ts";
import { contentOf, fieldProblems, type PolicyContent } from "./content.ts";

export interface PolicyFile {
  /** As a message names it. */
  name: string;
  id: string;
  content: PolicyContent;
}

const maxFiles = 1_000;

/** All of them in the order of their names; fails with every problem of every file. */
export async function readPolicyFiles(cli: Cli, path: string): Promise<PolicyFile[]> {
  const names = path === "-" ? ["-"] : await filesAt(cli, path);
  const problems: Problem[] = [];
  const files: PolicyFile[] = [];
  for (const name of names) {
    const shown = name === "-" ? "standard input" : name;
    try {
      const given = parseYamlMap(cli, await readDescriptorText(cli, name), { name: shown, what: "policy" });
      problems.push(...fieldProblems(given).map((each) => ({ ...each, where: `${shown} ${each.where}` })));
      files.push({ name: shown, id: idOf(given), content: contentOf(given) });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const own = error.problems.length > 0 ? error.problems : [{ where: shown, message: error.message }];
      problems.push(...own);
    }
  }
  problems.push(...repeatedIds(files));
  if (problems.length === 0) return files;
  throw new Failure({
    kind: "invalid",
    code: "CLI_INPUT",
    message: names.length === 1 ? "The policy cannot be used." : "Not every policy can be used.",
    problems,
  });
}

const idOf = (given: Record<string, unknown>): string => (typeof given["id"] === "string" ? given["id"] : "");

async function filesAt(cli: Cli, path: string): Promise<string[]> {
  const root = resolve(cli.cwd, path);
  const found = await lstat(root).catch((cause: unknown) => {
    throw inputFailure(`There is no file or folder ${path}.`, { cause });
  });
  if (!found.isDirectory()) return [path];
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && /\.ya?ml$/i.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((name) => !name.split(/[\\/]/).some((part) => part.startsWith(".")))
    .sort();
  if (names.length === 0)
    throw inputFailure(`The folder ${path} has no policies.`, {
      solutions: ["Policies are files that end in .yaml or .yml, one policy in each."],
    });
  if (names.length > maxFiles)
    throw inputFailure(`The folder ${path} has more than ${maxFiles} files of policies.`);
  return names.map((name) => join(path, name));
}

function repeatedIds(files: readonly PolicyFile[]): Problem[] {
  const byId = Map.groupBy(
    files.filter(({ id }) => id !== ""),
    ({ id }) => id,
  );
  return [...byId.values()].flatMap(([first, ...others]) =>
    others.map(({ name, id }) => ({
      where: `${name} id`,
      message: `The file ${first?.name} has the id ${id} too.`,
      solution: "Give each policy an id of its own.",
    })),
  );
}
