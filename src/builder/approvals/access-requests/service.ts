/** Opens, reads, retries and withdraws access requests. apply.ts carries out an approval. */
import { writeAudit } from "../../context.ts";
import { isOperator } from "../../../platform/auth/policy.ts";
import { inTransaction, type Db } from "../../../platform/db/database.ts";
import type { Failure, Problem } from "../../../platform/errors/failure.ts";
import { isUuid, newId } from "../../../platform/lib/ids.ts";
import { pageOf } from "../../../platform/lib/page-cursor.ts";
import { originOf } from "../../../platform/lib/request-lines.ts";
import { readTimeCursor } from "../time-cursor.ts";
import { builderFailure } from "../../errors.ts";
import { hashOfRequest } from "../../request-hash.ts";
import type { HookContext } from "../handlers.ts";
import { refsOf } from "../people.ts";
import { openAction } from "../service.ts";
import { endAction, lockAction, readHooksOf } from "../store.ts";
import type { AccessCoordinator } from "../../ports.ts";
import { environmentProblems, identityProblems, portProblems } from "./checks.ts";
import { checkAccessFields, type RequestingContext } from "./fit-template.ts";
import { approve } from "./handler.ts";
import { settleIdentities, type SettledIdentities } from "./identities.ts";
import { readApproval } from "./retry-store.ts";
import type { AccessRequest, AccessRequestBody, AccessRequestList } from "./schema.ts";
import {
  bindAction,
  changeStatus,
  countOpen,
  findByKey,
  insertRequest,
  listRequests,
  readHistory,
  readRequest,
  renewPorts,
  recordStatus,
  type RequestRow,
} from "./store.ts";
import { requestOf, summaryOf } from "./view.ts";

/** Open requests that one requester may have. */
const maxOpen = 500;

export interface NewAccessRequest {
  body: AccessRequestBody;
  idempotencyKey: string | undefined;
}

export async function openAccessRequest(
  ctx: RequestingContext,
  access: AccessCoordinator,
  { body, idempotencyKey }: NewAccessRequest,
): Promise<AccessRequest> {
  const { database } = ctx.builder;
  const requester = ctx.actor.ref;
  const bodyHash = hashOfRequest(body);
  const known = async (db: Db): Promise<string | null> => {
    if (idempotencyKey === undefined) return null;
    const before = await findByKey(db, { requester, key: idempotencyKey });
    if (before && before.bodyHash !== bodyHash) throw keyReused();
    return before?.id ?? null;
  };
  const before = await known(database.db);
  if (before !== null) return getAccessRequest(ctx, before);
  const found = await checkRequest(ctx, access, body);
  const { identities, others } = await identitiesOf(ctx, body);
  const id = await inTransaction(database, async (tx) => {
    const at = ctx.now();
    const fresh = newId();
    if ((await countOpen(tx, requester)) >= maxOpen) {
      // The same request may have taken the last place while this one waited for its turn.
      const same = await known(tx);
      if (same !== null) return same;
      throw tooMany();
    }
    const request = {
      id: fresh,
      operation: body.operation,
      unitId: body.deploymentUnitId,
      environment: body.environment,
      identities,
      reason: body.reason,
      fields: found.fields,
      templateRef: body.templateRef ?? null,
      requester,
      owners: found.owners,
      idempotencyKey: idempotencyKey ?? null,
      bodyHash,
      origin: originOf(ctx),
      traceparent: ctx.traceparent,
      at,
      ports: found.ports,
    };
    // Another request with the same key may have committed first.
    if (!(await insertRequest(tx, request))) return known(tx);
    const fields = hookFields(ctx, fresh, { ...body, identities, accessControlFields: found.fields });
    const { owners } = found;
    const wanted = { name: "accessRequest", owners, fields, asksOwner: others.length > 0 } as const;
    const action = await openAction(ctx, tx, wanted);
    if (action.isApproved && others.length > 0) throw forOthers(others);
    await bindAction(tx, fresh, action.actionId);
    await recordStatus(tx, fresh, { status: "PENDING", by: requester, message: null, at });
    const { deploymentUnitId, environment, operation, outputPortUrns } = body;
    await writeAudit(tx, ctx, {
      operation: "requestAccess",
      subject: `access-request:${fresh}`,
      detail: { deploymentUnitId, environment, operation, identities, outputPortUrns },
    });
    const message = "No hook is configured, and the settings approve such requests.";
    if (action.isApproved) await approve(ctx, tx, { id: fresh, from: "PENDING", message });
    return fresh;
  });
  return getAccessRequest(ctx, id ?? "");
}

/** Whom the request is for; operators and services act for others. */
async function identitiesOf(
  ctx: HookContext,
  { identities, operation }: AccessRequestBody,
): Promise<SettledIdentities> {
  if (isOperator(ctx.actor)) return { identities, others: [] };
  return settleIdentities(identities, { own: await refsOf(ctx), operation });
}

const forOthers = (others: readonly string[]): Failure =>
  builderFailure("BUILDER_ACCESS_FOR_OTHERS", {
    message: `Nobody would decide about this request, so it can't be for others: ${others.slice(0, 10).join(", ")}.`,
  });

/** The fields of the request that the hooks receive. */
const hookFields = (
  ctx: HookContext,
  accessRequestId: string,
  body: Omit<AccessRequestBody, "accessControlFields"> & { accessControlFields: object | null },
): object => ({
  accessRequestId,
  operation: body.operation,
  deploymentUnitId: body.deploymentUnitId,
  environment: body.environment,
  outputPortUrns: body.outputPortUrns,
  identities: body.identities,
  reason: body.reason,
  requester: ctx.actor.ref,
  ...(body.accessControlFields === null ? {} : { accessControlFields: body.accessControlFields }),
});

interface Checked {
  fields: Record<string, unknown> | null;
  owners: string[];
  ports: { urn: string; name: string | null }[];
}

async function checkRequest(
  ctx: RequestingContext,
  access: AccessCoordinator,
  body: AccessRequestBody,
): Promise<Checked> {
  const { deploymentUnitId: unitId, environment, outputPortUrns, identities } = body;
  const wanted = { unitId, environment, outputPortUrns };
  const problems: Problem[] = [
    ...environmentProblems(environment, ctx.builder.settings.environments),
    ...identityProblems(identities),
  ];
  const isPlaceKnown = ctx.builder.settings.environments.includes(environment);
  const described = isPlaceKnown ? await access.describe(ctx, wanted) : null;
  if (isPlaceKnown) problems.push(...portProblems(wanted, described?.ports ?? null));
  const fitted = await checkAccessFields(ctx, body);
  problems.push(...fitted.problems);
  if (problems.length > 0 || described === null) throw refused(problems);
  const ports = described.ports.flatMap((port) => (port ? [{ urn: port.urn, name: port.name }] : []));
  return { owners: ownersOf(described.descriptor), ports, fields: fitted.fields };
}

const refused = (problems: Problem[]): Failure =>
  builderFailure("BUILDER_INVALID_ACCESS_REQUEST", {
    message: `The access request can't be opened: ${problems.length === 1 ? "1 problem" : `${problems.length} problems`}.`,
    problems,
  });

const keyReused = (): Failure =>
  builderFailure("BUILDER_IDEMPOTENCY_KEY_REUSED", {
    message: "Another access request was sent under this Idempotency-Key.",
  });

const tooMany = (): Failure =>
  builderFailure("BUILDER_TOO_MANY_ACCESS_REQUESTS", {
    message: `${maxOpen} access requests of yours are under way already.`,
  });

async function findVisible(ctx: HookContext, id: string): Promise<RequestRow> {
  const row = isUuid(id) ? await readRequest(ctx.builder.database.db, id) : null;
  if (row && (isOperator(ctx.actor) || row.requester === ctx.actor.ref)) return row;
  const own = row ? await refsOf(ctx) : [];
  if (row && row.owners.some((ref) => own.includes(ref))) return row;
  const message = "There is no access request with that id that you may see.";
  throw builderFailure("BUILDER_ACCESS_REQUEST_NOT_FOUND", { message });
}

export async function getAccessRequest(ctx: HookContext, id: string): Promise<AccessRequest> {
  const row = await findVisible(ctx, id);
  const { db } = ctx.builder.database;
  const hooks = row.actionId === null ? [] : await readHooksOf(db, row.actionId);
  return requestOf(row, { hooks, history: await readHistory(db, row.id), now: ctx.now() });
}

export interface RequestListing {
  status: string | undefined;
  limit: number;
  after: string | undefined;
}

export async function listAccessRequests(
  ctx: HookContext,
  { status, limit, after }: RequestListing,
): Promise<AccessRequestList> {
  const rows = await listRequests(ctx.builder.database.db, {
    status,
    visibleTo: isOperator(ctx.actor) ? null : await refsOf(ctx),
    requester: ctx.actor.ref,
    after: after === undefined ? null : readTimeCursor(after),
    limit: limit + 1,
  });
  const { page, next } = pageOf(rows, limit, ({ createdAt, id }) => [createdAt.toISOString(), id]);
  return { data: page.map(summaryOf), meta: { pagination: { limit, next } } };
}

/** Retries the ports that failed, while the approval still holds. */
export async function retryAccessRequest(ctx: HookContext, id: string): Promise<AccessRequest> {
  const row = await findOwn(ctx, id);
  await inTransaction(ctx.builder.database, async (tx) => {
    if (!(await approve(ctx, tx, { id: row.id, from: "FAILED", message: "It is tried again." })))
      throw wrongStatus(await readRequest(tx, row.id), "Only one that has FAILED can be tried again.");
    if (row.operation === "GRANT") await refuseWhenOver(ctx, tx, row.id);
    await renewPorts(tx, row.id);
  });
  return getAccessRequest(ctx, row.id);
}

/** An approval to grant access counts for a retry for so long; a retry that takes access away gives nobody anything. */
const approvalDays = 7;
const dayMs = 86_400_000;

async function refuseWhenOver(ctx: HookContext, tx: Db, id: string): Promise<void> {
  const approval = await readApproval(tx, id);
  if (approval === null) return;
  const { approvedAt, isRevoked } = approval;
  if (isRevoked) throw approvalOver("A later request that was approved revokes this access.");
  if (ctx.now().getTime() - approvedAt.getTime() > approvalDays * dayMs)
    throw approvalOver(
      `It was approved at ${approvedAt.toISOString()}; a retry is possible for ${approvalDays} days after that.`,
    );
}

const approvalOver = (reason: string): Failure =>
  builderFailure("BUILDER_ACCESS_APPROVAL_OVER", {
    message: `The approval does not count any more: ask for the access anew. ${reason}`,
  });

/** Withdraws a request that nobody has decided yet. Its hooks end with it. */
export async function withdrawAccessRequest(ctx: HookContext, id: string): Promise<AccessRequest> {
  const row = await findOwn(ctx, id);
  await inTransaction(ctx.builder.database, async (tx) => {
    // Lock the action first, in the same order as an answer to one of its hooks does.
    if (row.actionId !== null) await lockAction(tx, row.actionId);
    const at = ctx.now();
    const change = { from: ["PENDING"], to: "WITHDRAWN", message: null, at, nextLookAt: null } as const;
    if (!(await changeStatus(tx, row.id, { ...change, by: ctx.actor.ref })))
      throw wrongStatus(await readRequest(tx, row.id), "Only one that is PENDING can be withdrawn.");
    const reason = `The request was withdrawn by ${ctx.actor.ref}.`;
    if (row.actionId !== null)
      await endAction(tx, { actionId: row.actionId, status: "REJECTED", reason, at });
    const subject = `access-request:${row.id}`;
    await writeAudit(tx, ctx, { operation: "withdrawAccessRequest", subject });
  });
  return getAccessRequest(ctx, row.id);
}

/** A request of the caller; operators may act for others. */
async function findOwn(ctx: HookContext, id: string): Promise<RequestRow> {
  const row = await findVisible(ctx, id);
  if (isOperator(ctx.actor) || row.requester === ctx.actor.ref) return row;
  throw builderFailure("BUILDER_ACCESS_REQUEST_NOT_YOURS", {
    message: "Only its requester and operators may do that.",
  });
}

const wrongStatus = (row: RequestRow | null, rule: string): Failure =>
  builderFailure("BUILDER_ACCESS_REQUEST_STATUS", {
    message: `The access request is ${row?.status ?? "gone"}. ${rule}`,
  });

/** Entity references in lower case; users and groups without a kind or namespace get the default ones. */
function ownersOf(descriptor: object): string[] {
  const of = (name: string, kind: string): string[] => {
    const value: unknown = Reflect.get(descriptor, name);
    return typeof value === "string" && value.trim() !== "" ? [entityRef(value.trim(), kind)] : [];
  };
  const owners = [
    ...of("dataProductOwner", "user"),
    ...of("projectOwner", "user"),
    ...of("ownerGroup", "group"),
  ];
  return [...new Set(owners)];
}

function entityRef(text: string, usualKind: string): string {
  const [, kind = usualKind, rest = ""] = /^(?:([^:/]+):)?(.*)$/s.exec(text) ?? [];
  return `${kind}:${rest.includes("/") ? rest : `default/${rest}`}`.toLowerCase().slice(0, 512);
}
