/** Descriptors that a person gives: a file or standard input, YAML or JSON. */
import { loadYaml } from "../coordinator/planning/descriptor/yaml.ts";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { YAMLException } from "js-yaml";
import { errorCode } from "../platform/errors/error-code.ts";
import { printLines, type Cli } from "./context.ts";
import { inputFailure } from "./exit-codes.ts";
import { isRecord } from "../platform/lib/is-record.ts";

export interface GivenDescriptor {
  text: string;
  id: string;
  environment: string | undefined;
  /** Ids of its components, without subcomponents. */
  componentIds: string[];
  value: Record<string, unknown>;
}

/** The unparsed text; validation reports what is wrong with it. */
export async function readDescriptorText(cli: Cli, file: string): Promise<string> {
  if (file === "-") return cli.readInput();
  try {
    return await readFile(resolve(cli.cwd, file), "utf8");
  } catch (cause) {
    const code = errorCode(cause);
    const why = {
      ENOENT: "There is no file",
      EISDIR: "It is a directory, not a file:",
      EACCES: "No right to read",
    };
    throw inputFailure(`${why[code as keyof typeof why] ?? "Cannot read"} ${file}.`, {
      solutions: code === "EISDIR" ? ["Build a descriptor from it with `plinth build`."] : [],
      cause,
    });
  }
}

export async function readDescriptor(cli: Cli, file: string): Promise<GivenDescriptor> {
  const text = await readDescriptorText(cli, file);
  const value = parseYamlMap(cli, text, { name: file === "-" ? "standard input" : file, what: "descriptor" });
  const { id, environment, components } = value;
  if (typeof id !== "string" || id === "") {
    throw inputFailure("The descriptor has no id.", {
      where: file,
      solutions: [
        isRecord(value["dataProduct"])
          ? "Give what stands under `dataProduct`, without that key."
          : "Give the descriptor of a whole unit, as `plinth build` makes it.",
      ],
    });
  }
  const listed: unknown[] = Array.isArray(components) ? components : [];
  return {
    text,
    value,
    id,
    environment: typeof environment === "string" ? environment : undefined,
    componentIds: listed.flatMap((each) =>
      isRecord(each) && typeof each["id"] === "string" ? [each["id"]] : [],
    ),
  };
}

/** The map of a YAML or JSON text; prints warnings, and fails with `name:line:column`. */
export function parseYamlMap(
  cli: Cli,
  text: string,
  { name, what }: { name: string; what: string },
): Record<string, unknown> {
  try {
    const { value, warnings } = loadYaml(text);
    const { attention } = cli.err.styles;
    printLines(
      cli.err,
      warnings.map(
        ({ line, column, message }) => `${attention("warning:")} ${name}:${line}:${column}: ${message}`,
      ),
    );
    if (isRecord(value)) return value;
  } catch (cause) {
    if (!(cause instanceof YAMLException)) throw cause;
    const { mark, reason } = cause;
    const where = mark ? `${name}:${mark.line + 1}:${mark.column + 1}` : name;
    throw inputFailure(`This is neither YAML nor JSON: ${reason}.`, { where, cause });
  }
  throw inputFailure(`The ${what} must be a map.`, { where: name });
}
