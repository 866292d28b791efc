/**
 * Writes docs/reference/cli.md from the definition of the command line. With `--check` it writes nothing and exits
 * with 1 when the page is not what the definition says.
 */
import { readFileSync, writeFileSync } from "node:fs";
import type { Argument, Command, Option } from "commander";
import { toOutput } from "../src/cli/context.ts";
import { exitCodes } from "../src/cli/exit-codes.ts";
import { examplesOf } from "../src/cli/help/examples.ts";
import { buildProgram } from "../src/cli/program.ts";

const target = new URL("../docs/reference/cli.md", import.meta.url);

const silent = toOutput({ write: () => true }, {});
const program = buildProgram(
  {
    out: silent,
    err: silent,
    env: {},
    cwd: "/",
    signal: new AbortController().signal,
    now: () => 0,
    readInput: async () => "",
    ask: async () => null,
    onForce: () => () => undefined,
    onHangup: () => undefined,
    endWithin: () => undefined,
  },
  async () => undefined,
);

const intro = `# Command line

<!-- Made by scripts/reference-cli.ts from the definition of the commands; change it there. -->

In a clone it runs as \`npm run -s plinth -- <command>\` or \`node src/cli/plinth.mjs <command>\`; [the guide](../guides/command-line.md)
has what belongs to several commands. Apart from \`start\`, \`demo\`, \`config check\`, \`context\`, \`completion\` and \`adapter check\` every
command is a few calls of a server's HTTP interface, of any server that \`--url\` or \`--context\` names. Results go to standard output, messages to standard error; colours only to a terminal, and not when
\`NO_COLOR\` is set.

With \`--json\` standard output holds one JSON document, or one JSON object per line where something is followed
(\`provision\`, \`watch\`, \`logs --follow\`, \`demo\`, the log of \`start\`), or one line with \`--detach\`; a failure is one JSON object
\`{"error": {kind, code, message, problems, solutions}}\` on standard error.

| Variable | Meaning |
|---|---|
| \`PLINTH_URL\` | The server, when there is neither \`--url\` nor \`--context\`. |
| \`PLINTH_TOKEN\` | The bearer token, when there is no \`--token\`. |
| \`PLINTH_CACERT\` | The PEM file of the certificate authority, when there is no \`--cacert\`. |
| \`PLINTH_CONTEXT\` | The context, when there are neither \`--context\` nor an address; without it the current one of \`plinth context\`. |
| \`XDG_CONFIG_HOME\` | The directory in which \`plinth/contexts.json\` is (default: \`~/.config\`). |
| \`CORE_BACKEND_PLUGIN_AUTH_SECRET\` | The adapters' shared secret for \`adapter check\`, when there is no \`--secret\`. |
| \`NO_COLOR\` | When not empty: no colours. |

| Exit code | Meaning |
|---|---|
${Object.values(exitCodes)
  .map(({ code, meaning }) => `| ${code} | ${meaning} |`)
  .join("\n")}`;

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

function sectionOf(command: Command, path: string): string[] {
  if (command.commands.length > 0)
    return command.commands.flatMap((each) => sectionOf(each, nameOf(each, path)));
  const usage = [
    path,
    command.options.length > 0 ? "[options]" : "",
    ...command.registeredArguments.map(usageOf),
  ];
  const rows = [
    ...command.registeredArguments.map((argument) => row(usageOf(argument), argument)),
    ...command.options.map((option) => row(option.flags, option)),
  ];
  return [
    [
      `## ${path}`,
      "",
      `\`${usage.filter((part) => part !== "").join(" ")}\``,
      "",
      command.description(),
      "",
      ...(rows.length === 0 ? [] : ["| Argument or option | Meaning |", "|---|---|", ...rows, ""]),
      "```sh",
      ...examplesOf(command, path.slice(program.name().length + 1)),
      "```",
    ].join("\n"),
  ];
}

const nameOf = (command: Command, path: string): string => `${path} ${command.name()}`;

const usageOf = (argument: Argument): string =>
  argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;

function row(flags: string, { description, ...given }: Argument | Option): string {
  const { argChoices, defaultValue } = given as { argChoices?: string[]; defaultValue?: string | number };
  const isRequired = "mandatory" in given && given.mandatory;
  const remarks = [
    ...(argChoices ? [`one of ${argChoices.join(", ")}`] : []),
    ...(defaultValue === undefined ? [] : [`default ${String(defaultValue)}`]),
    ...(isRequired ? ["required"] : []),
  ];
  return `| \`${flags}\` | ${cell(description)}${remarks.length > 0 ? ` (${cell(remarks.join("; "))})` : ""} |`;
}

const page = `${[intro, ...sectionOf(program, "plinth")].join("\n\n")}\n`;

if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== page) {
    process.stderr.write("docs/reference/cli.md is not up to date: run `node scripts/reference-cli.ts`.\n");
    process.exitCode = 1;
  }
} else writeFileSync(target, page);
