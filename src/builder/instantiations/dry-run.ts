/**
 * Runs a template without external effects: nothing is stored, and the files are deleted after the response.
 */
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Static } from "typebox";
import { Failure } from "../../platform/errors/failure.ts";
import type { Severity } from "../../platform/events/events.ts";
import { newId } from "../../platform/lib/ids.ts";
import type { Action } from "../actions/action.ts";
import type { Entity } from "../entity.ts";
import type { BuilderContext } from "../context.ts";
import { builderFailure } from "../errors.ts";
import { removeStale } from "../git/run-git.ts";
import type { Template } from "../templates/template.ts";
import { hidden, createMask } from "../../platform/lib/secrets/mask.ts";
import { userOf } from "./running/drive.ts";
import { runTask } from "./running/run.ts";
import type { Journal } from "./running/journal.ts";
import { listWorkspace } from "./running/pack.ts";
import { createWorkspace } from "./running/workspace.ts";
import type { dryRunAnswer, dryRunBody, templateVerdict } from "./schema.ts";
import { secretTexts } from "./secret-values.ts";
import { checkRequest, findTemplate, type InstantiationDeps } from "./start.ts";
import { logEvent, type TaskEnd, type TaskLine } from "./task.ts";

export interface DryRunDeps extends InstantiationDeps {
  actions: ReadonlyMap<string, Action>;
}

/** Concurrent dry runs; each holds its files and its log in memory until it is answered. */
const maxDryRuns = 4;
const busyRetrySeconds = 2;
const longestMs = 60_000;
const maxLines = 2_000;
/** Files that were last changed longer ago are those of a process that was killed. */
const staleMs = 24 * 3_600_000;
/** All files of the response together. */
const maxFileBytes = 8 * 1024 * 1024;

let underWay = 0;

type Answer = Static<typeof dryRunAnswer>;

export async function dryRun(
  ctx: BuilderContext,
  parts: DryRunDeps,
  request: Static<typeof dryRunBody>,
): Promise<Answer> {
  if (underWay >= maxDryRuns) {
    const message = `${maxDryRuns} templates are being tried already.`;
    throw builderFailure("BUILDER_BUSY", { message, retryAfterSeconds: busyRetrySeconds });
  }
  underWay += 1;
  try {
    const template = await templateOf(parts, request);
    const root = join(ctx.builder.settings.dataDir, "dry-runs");
    await mkdir(root, { recursive: true });
    await removeStale(root, ctx.now().getTime() - staleMs);
    const folder = await mkdtemp(join(root, "run-"));
    try {
      return await runIn(ctx, parts, { request, template, folder });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  } finally {
    underWay -= 1;
  }
}

async function templateOf(parts: DryRunDeps, request: Static<typeof dryRunBody>): Promise<Template> {
  if (request.template !== undefined) return parts.templates.read(entityOf(request.template));
  const ref = request.templateRef ?? "";
  const entity = ref === "" ? null : await findTemplate(parts, ref);
  if (entity !== null) return parts.templates.load(entity);
  const message =
    ref === "" ? "Give either `template` or `templateRef`." : `The catalogue has no template ${ref}.`;
  throw builderFailure("BUILDER_INVALID_INSTANTIATION", { message, where: "/templateRef" });
}

export async function validateTemplate(
  parts: DryRunDeps,
  template: Record<string, unknown>,
): Promise<Static<typeof templateVerdict>> {
  const problems = await parts.templates.check(entityOf(template));
  return { problems: problems.map(({ where, message }) => ({ where, message })) };
}

/** An entity that is not in the catalogue, whatever it says of itself. */
function entityOf(given: Record<string, unknown>): Entity {
  const { metadata } = given;
  const own = typeof metadata === "object" && metadata !== null ? { ...metadata } : {};
  // Callers must not set its location: its relative paths could then read files of this server.
  Reflect.deleteProperty(own, "annotations");
  const name: unknown = Reflect.get(own, "name");
  const named = { ...own, name: typeof name === "string" && name !== "" ? name : "dry-run" };
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  return {
    ...given,
    apiVersion: text(given["apiVersion"]),
    kind: text(given["kind"]) || "Template",
    metadata: named,
  };
}

interface Place {
  request: Static<typeof dryRunBody>;
  template: Template;
  folder: string;
}

async function runIn(ctx: BuilderContext, parts: DryRunDeps, place: Place): Promise<Answer> {
  const { request, template, folder } = place;
  const checked = await checkRequest(ctx, template, request);
  const workspace = createWorkspace(join(folder, "workspace"), ctx.builder.settings.instantiations);
  const baseUrl = await writeContents(ctx, folder, request.directoryContents);
  const lines: Answer["log"] = [];
  const { settings } = ctx.builder;
  const names = Object.keys(checked.secrets.named);
  const user = await userOf(parts, ctx.actor.ref, template.plan);
  // Cleared at the end: a timer that is left would keep the request, with its template, until its time has come.
  const tooLate = new AbortController();
  const timer = setTimeout(() => tooLate.abort(), longestMs);
  const running = runTask({
    deps: ctx.builder,
    actions: parts.actions,
    limits: settings.instantiations,
    renderTimeoutMs: settings.renderTimeoutMs,
    log: ctx.log,
    now: ctx.now,
    taskId: newId(),
    traceparent: ctx.traceparent,
    plan: baseUrl === null ? template.plan : { ...template.plan, baseUrl },
    parameters: checked.values,
    environment: checked.overrides,
    // Actions in a dry run do not need credentials, so they get none.
    secrets: Object.fromEntries(names.map((name) => [name, hidden])),
    mask: createMask(secretTexts(checked.secrets)),
    user,
    recorded: new Map(),
    checkpoints: new Map(),
    workspace,
    signal: AbortSignal.any([ctx.signal, tooLate.signal]),
    isDryRun: true,
    journal: journalInto(lines, ctx.now),
  });
  const end = await running
    .catch((error: unknown): TaskEnd => {
      if (!tooLate.signal.aborted) throw error;
      return { status: "failed", output: {}, error: `It took longer than ${longestMs} ms.` };
    })
    .finally(() => clearTimeout(timer));
  return {
    status: end.status === "completed" ? "completed" : "failed",
    log: lines,
    steps: template.plan.steps.map(({ id, name, action }) => ({ id, name, action })),
    output: end.output,
    error: end.error ?? null,
    directoryContents: await readContents(ctx, await workspace.folder()),
  };
}

function journalInto(lines: Answer["log"], now: () => Date): Journal {
  return {
    log(line: TaskLine, severity?: Severity) {
      if (lines.length >= maxLines) return;
      const { createdAt, ...body } = logEvent(now(), line, severity).data as TaskLine & { createdAt: string };
      lines.push({ body, createdAt });
    },
    recordStep: async () => {},
    recordCheckpoint: async () => {},
    beginUndo: async () => true,
    endUndo: async () => {},
    readUndo: async () => null,
  };
}

/** Writes the files beside the template and returns the folder; null when there are none. */
async function writeContents(
  ctx: BuilderContext,
  folder: string,
  files: Static<typeof dryRunBody>["directoryContents"],
): Promise<string | null> {
  if (files.length === 0) return null;
  const beside = createWorkspace(join(folder, "template"), ctx.builder.settings.instantiations);
  const options = { targetPath: "", replace: true, signal: ctx.signal };
  for (const [index, { path, base64Content }] of files.entries()) {
    const file = { path, content: Buffer.from(base64Content, "base64"), isExecutable: false };
    await beside.write({ files: [file], folders: [] }, options).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      const { message } = error;
      const where = `/directoryContents/${index}/path`;
      throw builderFailure("BUILDER_INVALID_INSTANTIATION", { message, where });
    });
  }
  return `${pathToFileURL(await beside.folder()).href}/template.yaml`;
}

async function readContents(ctx: BuilderContext, workspace: string): Promise<Answer["directoryContents"]> {
  const files = (await listWorkspace(workspace, ctx.builder.settings.instantiations)).filter(
    ({ kind }) => kind === "file",
  );
  const contents: Answer["directoryContents"] = [];
  let bytes = 0;
  for (const { path, mode, bytes: size } of files) {
    bytes += size;
    if (bytes > maxFileBytes) break;
    const content = await readFile(join(workspace, path));
    contents.push({ path, base64Content: content.toString("base64"), executable: (mode & 0o100) !== 0 });
  }
  return contents;
}
