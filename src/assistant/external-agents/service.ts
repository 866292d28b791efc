/** The registry of agents that run elsewhere. */
import { writeAudit } from "../../platform/db/audit.ts";
import { inTransaction } from "../../platform/db/database.ts";
import type { Failure } from "../../platform/errors/failure.ts";
import type { InputProblem } from "../../platform/http/operation.ts";
import { newId } from "../../platform/lib/ids.ts";
import type { AssistantContext } from "../context.ts";
import { endpointProblems } from "../endpoint.ts";
import { assistantFailure } from "../error-codes.ts";
import { bodyProblem, refuseProblems } from "../input-problem.ts";
import { jsonProblems } from "../json-value.ts";
import type { ExternalAgent, ExternalAgentBody, ExternalAgentList, ExternalAgentPatch } from "./schema.ts";
import {
  deleteExternalAgent,
  insertExternalAgent,
  listExternalAgents,
  lockExternalAgent,
  readExternalAgent,
  updateExternalAgent,
  type ExternalAgentQuery,
} from "./store.ts";
import { externalAgentView } from "./view.ts";

export async function registerExternalAgent(
  ctx: AssistantContext,
  body: ExternalAgentBody,
): Promise<ExternalAgent> {
  refuseProblems([...endpointProblems(ctx, body.endpoint), ...payloadProblems(body.payload)]);
  const { name, description, endpoint, active } = body;
  const id = newId();
  const row = {
    id,
    name,
    description,
    endpoint,
    payload: { ...body.payload },
    needAuthentication: body.need_authentication,
    active,
  };
  await inTransaction(ctx.assistant.database, async (tx) => {
    await insertExternalAgent(tx, { ...row, at: ctx.now() });
    const detail = { name, endpoint };
    await writeAudit(tx, ctx, { operation: "registerAgent", subject: `external-agent:${id}`, detail });
  });
  return externalAgentView(row);
}

export async function getExternalAgent(ctx: AssistantContext, id: string): Promise<ExternalAgent> {
  const row = await readExternalAgent(ctx.assistant.database.kysely, id);
  if (!row) throw unknownAgent(id);
  return externalAgentView(row);
}

export async function findExternalAgents(
  ctx: AssistantContext,
  query: ExternalAgentQuery,
): Promise<ExternalAgentList> {
  const { rows, total } = await listExternalAgents(ctx.assistant.database.kysely, query);
  const { limit, offset } = query;
  return { data: rows.map(externalAgentView), meta: { pagination: { total, limit, offset } } };
}

/** Fields that are null or left out stay as they are. */
export async function changeExternalAgent(
  ctx: AssistantContext,
  id: string,
  patch: ExternalAgentPatch,
): Promise<ExternalAgent> {
  refuseProblems([
    ...(patch.endpoint ? endpointProblems(ctx, patch.endpoint) : []),
    ...(patch.payload ? payloadProblems(patch.payload) : []),
  ]);
  return inTransaction(ctx.assistant.database, async (tx) => {
    const row = await lockExternalAgent(tx, id);
    if (!row) throw unknownAgent(id);
    const changed = {
      id,
      name: patch.name ?? row.name,
      description: patch.description ?? row.description,
      endpoint: patch.endpoint ?? row.endpoint,
      payload: patch.payload ? { ...patch.payload } : row.payload,
      needAuthentication: patch.need_authentication ?? row.needAuthentication,
      active: patch.active ?? row.active,
    };
    await updateExternalAgent(tx, { ...changed, at: ctx.now() });
    const detail = { fields: Object.keys(patch), endpoint: changed.endpoint };
    await writeAudit(tx, ctx, { operation: "patchAgent", subject: `external-agent:${id}`, detail });
    return externalAgentView(changed);
  });
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
    ...(known ? [] : [bodyProblem(["payload", "protocol"], `must be one of: ${protocols.join(", ")}`)]),
  ];
}

const unknownAgent = (id: string): Failure =>
  assistantFailure("ASSISTANT_UNKNOWN_EXTERNAL_AGENT", {
    message: `There is no external agent with the id ${id}.`,
  });
