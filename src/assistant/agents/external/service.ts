/** The registry of agents that run elsewhere. */
import { isAllowed } from "../../../platform/auth/policy.ts";
import { inTransaction } from "../../../platform/db/database.ts";
import type { Failure } from "../../../platform/errors/failure.ts";
import type { InputProblem } from "../../../platform/http/operation.ts";
import { newId } from "../../../platform/lib/ids.ts";
import { writeAudit, type AssistantContext } from "../../context.ts";
import { endpointProblems, bodyProblem, refuseProblems, jsonProblems } from "../../body-problems.ts";
import { assistantFailure } from "../../error-codes.ts";
import { mask } from "../../masked-values.ts";
import { complete, maskAll, type AgentSecrets, type Given } from "./agent-secrets.ts";
import { openAgent, sealAgent, type OpenedAgent } from "./sealed-agent.ts";
import type { ExternalAgent, ExternalAgentBody, ExternalAgentList, ExternalAgentPatch } from "./schema.ts";
import {
  deleteExternalAgent,
  insertExternalAgent,
  listExternalAgents,
  lockExternalAgent,
  readExternalAgent,
  updateExternalAgent,
  type ExternalAgentQuery,
  type ExternalAgentRow,
} from "./store.ts";

export async function registerExternalAgent(
  ctx: AssistantContext,
  body: ExternalAgentBody,
): Promise<ExternalAgent> {
  const { endpoint, payload } = wholeSecrets(ctx, body, null);
  const { name, description, active } = body;
  const id = newId();
  const agent = {
    id,
    name,
    description,
    endpoint,
    payload,
    needAuthentication: body.need_authentication,
    active,
  };
  const row = sealAgent(ctx.assistant.secrets, agent);
  await inTransaction(ctx.assistant.database, async (tx) => {
    await insertExternalAgent(tx, { ...row, at: ctx.now() });
    const detail = { name, endpoint: row.endpoint };
    await writeAudit(tx, ctx, { operation: "registerAgent", subject: `external-agent:${id}`, detail });
  });
  return viewFor(ctx, row);
}

export async function getExternalAgent(ctx: AssistantContext, id: string): Promise<ExternalAgent> {
  const row = await readExternalAgent(ctx.assistant.database.db, id);
  if (!row) throw unknownAgent(id);
  return viewFor(ctx, row);
}

export async function findExternalAgents(
  ctx: AssistantContext,
  query: ExternalAgentQuery,
): Promise<ExternalAgentList> {
  const { rows, total } = await listExternalAgents(ctx.assistant.database.db, query);
  const { limit, offset } = query;
  return { data: rows.map((row) => viewFor(ctx, row)), meta: { pagination: { total, limit, offset } } };
}

/** Fields that are null or left out stay as they are. */
export async function changeExternalAgent(
  ctx: AssistantContext,
  id: string,
  patch: ExternalAgentPatch,
): Promise<ExternalAgent> {
  return inTransaction(ctx.assistant.database, async (tx) => {
    const row = await lockExternalAgent(tx, id);
    if (!row) throw unknownAgent(id);
    const changed = {
      id,
      name: patch.name ?? row.name,
      description: patch.description ?? row.description,
      needAuthentication: patch.need_authentication ?? row.needAuthentication,
      active: patch.active ?? row.active,
      ...changedSecrets(ctx, patch, row),
    };
    await updateExternalAgent(tx, { ...changed, at: ctx.now() });
    const detail = { fields: Object.keys(patch), endpoint: changed.endpoint };
    await writeAudit(tx, ctx, { operation: "patchAgent", subject: `external-agent:${id}`, detail });
    return viewFor(ctx, changed);
  });
}

type SealedSecrets = Pick<ExternalAgentRow, "endpoint" | "payload" | "sealed">;

/** A change of both address and payload needs nothing stored, which may be sealed with a lost key. */
function changedSecrets(
  ctx: AssistantContext,
  patch: ExternalAgentPatch,
  row: ExternalAgentRow,
): SealedSecrets {
  const { secrets } = ctx.assistant;
  const { id, endpoint, payload, sealed } = row;
  if (!patch.endpoint && !patch.payload)
    return sealed === null ? sealAgent(secrets, { id, endpoint, payload }) : { endpoint, payload, sealed };
  const isWhole =
    patch.endpoint && patch.payload && !JSON.stringify([patch.endpoint, patch.payload]).includes(mask);
  const stored = isWhole ? null : openAgent(secrets, row);
  return sealAgent(secrets, { id, ...wholeSecrets(ctx, patch, stored) });
}

/** The given secrets with stored values in the place of masks. Throws all problems at once. */
function wholeSecrets(ctx: AssistantContext, given: Given, stored: AgentSecrets | null): AgentSecrets {
  const { whole, missing } = complete(given, stored);
  refuseProblems([
    ...(given.endpoint ? endpointProblems(ctx.assistant.agentOutbound, given.endpoint) : []),
    ...(given.payload ? payloadProblems(given.payload) : []),
    ...missing.map(({ path, message }) => bodyProblem(path, message, mask)),
  ]);
  return whole;
}

/** Users who may edit the agent see it as it is, others see it masked. */
function viewFor(ctx: AssistantContext, row: ExternalAgentRow): ExternalAgent {
  const shown = row.sealed === null ? { ...row, ...maskAll(row) } : row;
  if (!isAllowed(ctx.actor, "writeExternalAgents")) return externalAgentView(shown);
  try {
    return externalAgentView(openAgent(ctx.assistant.secrets, row));
  } catch (error) {
    // Shown masked, so that it can be corrected or deleted; it can't be asked.
    ctx.log.error({ agent: row.id, reason: (error as Error).message }, "an agent can't be shown as it is");
    return externalAgentView(shown);
  }
}

export async function removeExternalAgent(ctx: AssistantContext, id: string): Promise<void> {
  await inTransaction(ctx.assistant.database, async (tx) => {
    const name = await deleteExternalAgent(tx, id);
    if (name === null) throw unknownAgent(id);
    await writeAudit(tx, ctx, {
      operation: "deleteAgent",
      subject: `external-agent:${id}`,
      detail: { name },
    });
  });
}

const protocols: readonly unknown[] = ["a2a", "agui", "openai", "http"];

function payloadProblems(payload: object): InputProblem[] {
  const protocol: unknown = Reflect.get(payload, "protocol");
  const known = protocol === undefined || protocols.includes(protocol);
  const destructive: unknown = Reflect.get(payload, "destructive");
  return [
    ...jsonProblems(payload, ["payload"]),
    ...(destructive === undefined || typeof destructive === "boolean"
      ? []
      : [bodyProblem(["payload", "destructive"], "must be true or false", destructive)]),
    ...(known
      ? []
      : [bodyProblem(["payload", "protocol"], `must be one of: ${protocols.join(", ")}`, protocol)]),
  ];
}

const unknownAgent = (id: string): Failure =>
  assistantFailure("ASSISTANT_UNKNOWN_EXTERNAL_AGENT", {
    message: `There is no external agent with the id ${id}.`,
  });

export const externalAgentView = (row: OpenedAgent): ExternalAgent => ({
  id: row.id,
  name: row.name,
  title: titleOf(row.name),
  description: row.description,
  endpoint: row.endpoint,
  payload: row.payload,
  need_authentication: row.needAuthentication,
  active: row.active,
});

/** `sales-forecast_agent` reads as `Sales forecast agent`. */
export function titleOf(name: string): string {
  const words = name.replaceAll(/[-_\s]+/g, " ").trim();
  const [first = "", ...rest] = words;
  return words === "" ? name : first.toUpperCase() + rest.join("");
}
