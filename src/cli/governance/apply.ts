/** `plinth policy apply`: brings policies of files to a server. */
import type { Command } from "commander";
import { Failure, type Problem } from "../../platform/errors/failure.ts";
import { callServer, type Server } from "../client/http.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { exitCodes, inputFailure } from "../exit-codes.ts";
import { serverOf, withServer, type ServerOptions } from "../options.ts";
import { failureJson, failureLines } from "../print/failure.ts";
import { count, oneLine } from "../print/text.ts";
import { changeLines, changesOf, type FieldChange } from "./changes.ts";
import { contentOf } from "./content.ts";
import { readPolicyFiles, type PolicyFile } from "./policy-files.ts";
import { postTest } from "./test-policies.ts";
import { base, type PolicyRecord } from "./wire.ts";

interface ApplyOptions extends ServerOptions {
  file: string;
  yes?: boolean;
  dryRun?: boolean;
}

/** What is to be done with one file. */
interface Step extends PolicyFile {
  /** As the server has it now; undefined for a new one. */
  stored: PolicyRecord | undefined;
  changes: FieldChange[];
}

export function defineApply(group: Command, cli: Cli, run: Run): void {
  const command = group
    .command("apply")
    .summary("create and change policies as files say")
    .description(
      "Shows what differs between files and the server, asks, then creates new policies as drafts and gives changed ones a new " +
        "version; statuses stay. All files are checked before the first is written; what is the same already is not written, and " +
        "nothing is deleted. Ends with 2 when a file cannot be read as a policy, with 5 when the server finds a policy not valid.",
    )
    .requiredOption(
      "-f, --file <path>",
      "file of a policy in YAML, or a folder of them; - for standard input",
    )
    .option("--yes", "do not ask")
    .option("--dry-run", "check all, show what would be done, and write nothing");
  withServer(command).action((options: ApplyOptions) => run(() => apply(cli, options)));
}

async function apply(cli: Cli, options: ApplyOptions): Promise<number> {
  const { yes, dryRun, json } = options;
  if (json && !yes && !dryRun)
    throw inputFailure("With --json nobody is asked.", { solutions: ["Add --yes or --dry-run."] });
  const server = serverOf(cli, options);
  const steps = await planSteps(server, await readPolicyFiles(cli, options.file));
  const open = steps.filter(({ stored, changes }) => stored === undefined || changes.length > 0);
  const problems = await checkAll(server, open);
  if (problems.length > 0) return reportProblems(cli, problems, json);
  if (!json) printLines(cli.out, stepLines(cli, steps));
  if (open.length > 0 && !dryRun && !yes && !(await agrees(cli, server, open.length))) {
    printLines(cli.out, ["Nothing was written."]);
    return exitCodes.refused.code;
  }
  const written = dryRun ? [] : await writeAll(cli, server, open, json);
  if (json)
    printJson(cli.out, { dryRun: dryRun === true, policies: steps.map((step) => stepJson(step, written)) });
  else if (dryRun) printLines(cli.out, ["Nothing was written."]);
  else if (open.some(({ stored }) => stored === undefined))
    printLines(cli.out, [
      cli.out.styles.faint(
        "New ones are drafts: see `plinth policy try`, then `plinth policy status … grace`.",
      ),
    ]);
  return exitCodes.ok.code;
}

/** Ids in one request, so that its address stays short. */
const idsAtOnce = 25;

async function planSteps(server: Server, files: readonly PolicyFile[]): Promise<Step[]> {
  const stored = new Map<string, PolicyRecord>();
  for (let at = 0; at < files.length; at += idsAtOnce) {
    const ids = files.slice(at, at + idsAtOnce).map(({ id }) => id);
    const query = { "id-in": ids.join(","), limit: String(idsAtOnce) };
    const path = `${base}/policies`;
    const { body } = await callServer<{ data: PolicyRecord[] }>(server, { method: "GET", path, query });
    for (const each of body.data) stored.set(each.id, each);
  }
  return files.map((file) => {
    const before = stored.get(file.id);
    const changes = before === undefined ? [] : changesOf(contentOf(before), file.content);
    return { ...file, stored: before, changes };
  });
}

/** A kind that no resource has: the server checks the policy, and no engine is asked about anything. */
const noResource = "none-of-any-unit";

/** Every problem that the server finds, before anything is written. */
async function checkAll(server: Server, steps: readonly Step[]): Promise<Problem[]> {
  if (steps.length === 0) return [];
  const { body } = await callServer<{ data: { name: string }[] }>(server, {
    method: "GET",
    path: "/api/coordinator/v1/environments",
  });
  const environment = body.data[0]?.name ?? "";
  const problems: Problem[] = [];
  for (const { name, id, content } of steps) {
    const policy = { id, ...content, resourceType: content["resourceType"] ?? noResource };
    try {
      await postTest(server, { policy, environment, descriptor: { id: "check", kind: "check" } });
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== "invalid") throw error;
      const found = error.problems.length > 0 ? error.problems : [{ where: "", message: error.message }];
      problems.push(...found.map((each) => ({ ...each, where: `${name} ${fieldOf(each.where)}`.trim() })));
    }
  }
  return problems;
}

/** `/policy/spec/assert:1:5` as `spec.assert:1:5`. */
const fieldOf = (where: string): string =>
  where.replace(/^\/(?:body\/)?(?:policy(?:\/|$))?/, "").replaceAll("/", ".");

function reportProblems(cli: Cli, problems: Problem[], json: boolean | undefined): number {
  const failure = new Failure({
    kind: "invalid",
    code: "CLI_INPUT",
    message: `${count(problems.length, "problem")} found; nothing was written.`,
    problems,
  });
  if (json) printJson(cli.out, failureJson(failure));
  else printLines(cli.err, failureLines(failure, cli.err.styles));
  return exitCodes.findings.code;
}

function stepLines(cli: Cli, steps: readonly Step[]): string[] {
  const { styles } = cli.out;
  const unchanged = steps.filter(({ stored, changes }) => stored !== undefined && changes.length === 0);
  return [
    ...steps.flatMap(({ id, stored, changes, content }) => {
      if (stored === undefined)
        return [`${styles.good("new")} ${styles.strong(oneLine(id))}: ${oneLine(String(content["name"]))}`];
      if (changes.length === 0) return [];
      const force = /^(?:grace|enabled)$/.test(stored.status) ? ", so the change counts at once" : "";
      return [
        `${styles.attention("changed")} ${styles.strong(oneLine(id))}: version ${stored.version} → ${stored.version + 1}, ${oneLine(stored.status)}${force}`,
        ...changeLines(changes, styles),
      ];
    }),
    ...(unchanged.length > 0
      ? [styles.faint(`${count(unchanged.length, "policy file")} as on the server.`)]
      : []),
  ];
}

async function agrees(cli: Cli, server: Server, open: number): Promise<boolean> {
  const reply = await cli.ask(
    `Write ${open === 1 ? "this policy" : `these ${open} policies`} to ${server.url}? [y/N] `,
  );
  return /^\s*y(?:es)?\s*$/i.test(reply ?? "");
}

/** One after the other: what is written stays when a later one fails, and a second run goes on from there. */
async function writeAll(
  cli: Cli,
  server: Server,
  steps: readonly Step[],
  json: boolean | undefined,
): Promise<PolicyRecord[]> {
  const written: PolicyRecord[] = [];
  for (const { id, content, stored } of steps) {
    const path = `${base}/policies`;
    const call =
      stored === undefined
        ? ({ method: "POST", path, body: { id, ...content } } as const)
        : ({
            method: "PUT",
            path: `${path}/${encodeURIComponent(id)}`,
            body: { version: stored.version, ...content },
          } as const);
    const { body } = await callServer<PolicyRecord>(server, call);
    written.push(body);
    if (!json)
      printLines(cli.out, [
        stored === undefined
          ? `created ${oneLine(id)}, a draft`
          : `changed ${oneLine(id)} to version ${body.version}`,
      ]);
  }
  return written;
}

function stepJson({ id, name, stored, changes }: Step, written: readonly PolicyRecord[]): object {
  const after = written.find((each) => each.id === id);
  const action = stored === undefined ? "create" : changes.length > 0 ? "change" : "none";
  return {
    id,
    file: name,
    action,
    written: after !== undefined,
    ...(stored && { from: stored.version, status: stored.status }),
    ...(after && { version: after.version, status: after.status }),
    changes,
  };
}
