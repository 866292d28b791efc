/** Export and import of users' skills, agents and external agents. */
import { packArchive } from "../../../platform/archive/write-archive.ts";
import { isAllowed } from "../../../platform/auth/policy.ts";
import { writeAudit } from "../../../platform/db/audit.ts";
import { inTransaction, type Db } from "../../../platform/db/database.ts";
import { bodyTooLarge } from "../../../platform/http/errors.ts";
import type { InputProblem } from "../../../platform/http/operation.ts";
import { newId } from "../../../platform/lib/ids.ts";
import { lockAgents, readEdges } from "../../agents/store.ts";
import type { AssistantContext } from "../../context.ts";
import { endpointProblems, refuseProblems, jsonProblems } from "../../body-problems.ts";
import { assistantFailure } from "../../error-codes.ts";
import { maskAll, maskNamed } from "../../agents/external/agent-secrets.ts";
import { openAgent } from "../../agents/external/sealed-agent.ts";
import { archiveLimits, unpackRecords } from "./archive.ts";
import { exportFiles } from "./export-files.ts";
import type { OwnRecords } from "./own-records.ts";
import { planImport, type ImportPlan, type Planned } from "./plan-import.ts";
import { readRecords, type ImportedRecords } from "./read-records.ts";
import type { ImportAnswer } from "./schema.ts";
import { lockOwn, measureOwn, readOwn, type StoredRecords } from "./store.ts";
import { writeImport } from "./write-import.ts";

/** A .tar.gz of all records of users. */
export async function exportRecords(ctx: AssistantContext): Promise<Buffer> {
  const { kysely } = ctx.assistant.database;
  const { records, bytes } = await measureOwn(kysely);
  if (records > archiveLimits.records || bytes > archiveLimits.unpackedBytes / 2)
    throw tooMuch(`${records} of a kind with ${bytes} bytes in all`);
  // One snapshot, so that no file refers to a record that is missing.
  const files = await kysely
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (tx) => exportFiles(maskedOwn(ctx, await readOwn(tx)), await readEdges(tx)));
  const archive = await packArchive(Object.fromEntries(files));
  if (archive.length > archiveLimits.packedBytes) throw tooMuch(`an archive of ${archive.length} bytes`);
  return archive;
}

/** Users who may not edit external agents export them masked; for editors only the secrets are masked. */
function maskedOwn(ctx: AssistantContext, own: StoredRecords): OwnRecords {
  const isEditor = isAllowed(ctx.actor, "writeExternalAgents");
  const externalAgents = own.externalAgents.map(({ sealed, ...shown }) =>
    isEditor
      ? { ...shown, ...maskNamed(openAgent(ctx.assistant.secrets, { ...shown, sealed })) }
      : { ...shown, ...(sealed === null && maskAll(shown)) },
  );
  return { ...own, externalAgents };
}

const openedOwn = (ctx: AssistantContext, own: StoredRecords): OwnRecords => ({
  ...own,
  externalAgents: own.externalAgents.map((agent) => openAgent(ctx.assistant.secrets, agent)),
});

const tooMuch = (what: string) =>
  assistantFailure("ASSISTANT_EXPORT_TOO_LARGE", {
    message:
      `There are ${what}; an archive takes ${archiveLimits.records} records of a kind, ` +
      `${archiveLimits.unpackedBytes / 2} bytes of texts and ${archiveLimits.packedBytes} bytes packed.`,
  });

/** Imports all records or none; existing records are replaced. */
export async function importRecords(
  ctx: AssistantContext,
  archive: Buffer,
  { dryRun }: { dryRun: boolean },
): Promise<ImportAnswer> {
  if (archive.length > archiveLimits.packedBytes) throw bodyTooLarge(archiveLimits.packedBytes);
  const unpacked = await unpackRecords(archive);
  const given = readRecords(unpacked.records);
  const found = [...unpacked.problems, ...given.problems, ...externalAgentProblems(ctx, given)];
  const plan = await inTransaction(ctx.assistant.database, async (tx) => {
    await lockAgents(tx);
    await lockOwn(tx);
    const present = { own: openedOwn(ctx, await readOwn(tx)), edges: await readEdges(tx), newId };
    const planned = planImport(given, present);
    refuseProblems([...found, ...planned.problems]);
    if (!dryRun) await writePlan(tx, ctx, planned);
    return planned;
  });
  return answerOf(plan, { dryRun, ignored: unpacked.ignored });
}

async function writePlan(tx: Db, ctx: AssistantContext, plan: ImportPlan): Promise<void> {
  await writeImport(tx, plan, { secrets: ctx.assistant.secrets, at: ctx.now() });
  const changed = (list: readonly Planned<unknown>[]) =>
    list.flatMap(({ id, action }) => (action === "unchanged" ? [] : [id]));
  const detail = {
    skills: changed(plan.skills),
    agents: changed(plan.agents),
    externalAgents: changed(plan.externalAgents),
  };
  await writeAudit(tx, ctx, { operation: "importRecords", subject: "assistant", detail });
}

/** Problems of addresses and payloads of external agents that no schema finds. */
function externalAgentProblems(ctx: AssistantContext, { externalAgents }: ImportedRecords): InputProblem[] {
  return externalAgents.flatMap(({ path, record }) =>
    [
      ...endpointProblems(ctx.assistant.agentOutbound, record.endpoint),
      ...jsonProblems(record.payload, ["payload"]),
    ].map((problem) => ({ ...problem, path: [path, ...problem.path] })),
  );
}

const maxNotes = 100;

function answerOf(
  plan: ImportPlan,
  { dryRun, ignored }: { dryRun: boolean; ignored: readonly string[] },
): ImportAnswer {
  const entriesOf = <Kind extends string>(kind: Kind, list: readonly Planned<{ name: string }>[]) =>
    list.map(({ path, id, action, record }) => ({ kind, path, id, name: record.name, action }));
  return {
    dry_run: dryRun,
    records: [
      ...entriesOf("skill", plan.skills),
      ...entriesOf("agent", plan.agents),
      ...entriesOf("external_agent", plan.externalAgents),
    ],
    notes: [
      ...plan.notes,
      ...ignored.map((path) => `${path.slice(0, 200)}: is no record and was ignored.`),
    ].slice(0, maxNotes),
  };
}
