import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One file of the repository, as the rules see it. */
export interface SourceFile {
  /** From the root, with forward slashes. */
  path: string;
  text: string;
}

export interface Violation {
  path: string;
  line: number;
  message: string;
}

export type TidyRule = (files: readonly SourceFile[]) => Violation[];

const roots = ["src", "packages", "test", "scripts", "bench", "e2e", "examples", "migrations", "console"];
const extensions = /\.(?:ts|tsx|mjs|sql)$/;

/** Everything that people wrote, below the given root of the repository. */
export const readSources = (root: string): SourceFile[] =>
  roots
    .flatMap((folder) => list(join(root, folder), folder))
    .map((path) => ({
      path,
      text: readFileSync(join(root, path), "utf8"),
    }));

const list = (folder: string, shown: string): string[] => {
  let entries: string[];
  try {
    entries = readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch {
    return []; // A root without files does not exist yet.
  }
  return entries
    .map((entry) => `${shown}/${entry.replaceAll("\\", "/")}`)
    .filter((path) => extensions.test(path) && !/node_modules\/|\/generated\/|^console\/dist\//.test(path));
};

export const isTest = ({ path }: SourceFile): boolean =>
  path.endsWith(".test.ts") || path.endsWith("testdata.ts") || path.startsWith("test/");

const stringOrComment =
  /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

/** The text with its comments blanked out and its line numbers unchanged. A string that looks like a comment stays. */
export const withoutComments = (text: string): string =>
  text.replaceAll(stringOrComment, (whole, string: string | undefined) =>
    string === undefined ? whole.replaceAll(/[^\n]/g, " ") : whole,
  );

/** Each match of a pattern as a violation, with its line. */
export const violationsOf = (
  path: string,
  text: string,
  { pattern, message }: { pattern: RegExp; message: string | ((match: RegExpExecArray) => string) },
): Violation[] =>
  [...text.matchAll(pattern)].map((match) => ({
    path,
    line: text.slice(0, match.index).split("\n").length,
    message: typeof message === "string" ? message : message(match),
  }));

export interface Import {
  /** As written. */
  specifier: string;
  /** The path from the root for a file of ours, undefined for a package. */
  target: string | undefined;
  line: number;
}

const importPattern =
  /(?:^|[\n;])\s*(?:import|export)\b[^"'`;]*?\bfrom\s*["']([^"']+)["']|\bimport\s*\(?\s*["']([^"']+)["']/g;

export const importsOf = ({ path, text }: SourceFile): Import[] => {
  const code = withoutComments(text);
  return [...code.matchAll(importPattern)].map((match) => {
    const specifier = match[1] ?? match[2] ?? "";
    const end = code.slice(0, match.index + match[0].length);
    return {
      specifier,
      target: specifier.startsWith(".") ? resolve(path, specifier) : undefined,
      line: end.split("\n").length,
    };
  });
};

const resolve = (from: string, specifier: string): string => {
  const parts = from.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "..") {
      parts.pop();
    } else if (part !== ".") {
      parts.push(part);
    }
  }
  return parts.join("/");
};
