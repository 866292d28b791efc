/** Pure. The commands as data, read from their one definition; help, reference page and completions have nothing else. */
import type { Argument, Command, Option } from "commander";

export interface CommandEntry {
  /** Its words after `plinth`, such as `access request`; empty for the program itself. */
  path: string;
  summary: string;
  options: OptionEntry[];
  /** What its first argument is, as far as a shell can complete it. */
  argument: ValueEntry | undefined;
  children: CommandEntry[];
}

export interface OptionEntry {
  short: string | undefined;
  long: string;
  description: string;
  /** Undefined for a flag without a value. */
  value: ValueEntry | undefined;
}

export interface ValueEntry {
  choices: readonly string[];
  isFile: boolean;
}

export function commandTable(program: Command): CommandEntry {
  return entryOf(program, "");
}

/** An entry and all below it, each before its children. */
export const allEntries = (entry: CommandEntry): CommandEntry[] => [
  entry,
  ...entry.children.flatMap((child) => allEntries(child)),
];

function entryOf(command: Command, path: string): CommandEntry {
  const [first] = command.registeredArguments;
  const children = command.commands.map((each) =>
    entryOf(each, path === "" ? each.name() : `${path} ${each.name()}`),
  );
  return {
    path,
    summary: command.summary() || command.description(),
    options: [...command.options.map(optionOf), helpOption],
    argument: first && valueOf(first, first.name()),
    children,
  };
}

const helpOption: OptionEntry = {
  short: "-h",
  long: "--help",
  description: "show the help",
  value: undefined,
};

function optionOf(option: Option): OptionEntry {
  const { short, long, flags, description } = option;
  const name = /[<[]([^>\]]+)[>\]]/.exec(flags)?.[1];
  return {
    short,
    long: long ?? flags,
    description,
    value: name === undefined ? undefined : valueOf(option, name),
  };
}

/** Names of values that are files or directories. */
const files = new Set(["file", "path", "directory", "descriptor", "suite"]);

const valueOf = ({ argChoices }: Option | Argument, name: string): ValueEntry => ({
  choices: argChoices ?? [],
  isFile: files.has(name),
});
