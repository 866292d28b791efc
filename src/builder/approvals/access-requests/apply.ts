/**
 * Advances the ports of an approved access request by one step each. A step may run twice, and on two workers
 * at once: the coordinator recognises a repeated change by its id, and rows are updated conditionally.
 */
import { writeAudit } from "../../context.ts";
import { inTransaction } from "../../../platform/db/database.ts";
import { Failure } from "../../../platform/errors/failure.ts";
import type { HookContext } from "../handlers.ts";
import type { AccessCoordinator } from "../../ports.ts";
import {
  changePort,
  changeStatus,
  scheduleCheck,
  readRequest,
  wakeWaitingRequests,
  type PortChange,
  type PortRow,
  type RequestRow,
} from "./store.ts";

/**
 * Longest time from the approval until the coordinator has accepted the change, and for which a step may fail in the server itself;
 * the plan of the change has a limit of its own.
 */
const longestWaitMs = 48 * 3_600_000;
const firstPauseMs = 100;
const longestPauseMs = 2_000;
/** The same where only steps are left that have failed in the server itself. */
const longestFaultPauseMs = 60_000;
/** Requests that wait for others are woken when those end; this interval covers a lost wake-up. */
const longestWaitingPauseMs = 5_000;

export interface ApplyOptions {
  access: AccessCoordinator;
  /** A context that acts as the requester, with the request id and the trace of the original request. */
  contextOf: (request: RequestRow) => HookContext;
}

/** Returns the delay in ms until the next check, or null when the request needs no more work. */
export async function applyRequest(
  { access, contextOf }: ApplyOptions,
  { ctx: own, id }: { ctx: HookContext; id: string },
): Promise<number | null> {
  const { db } = own.builder.database;
  const request = await readRequest(db, id);
  if (!request || !["APPROVED", "APPLYING"].includes(request.status)) return null;
  const ctx = contextOf(request);
  if (request.status === "APPROVED") await begin(own, id);
  let hasMoved = false;
  for (const port of request.ports.filter(isOpen))
    if (await advancePort(ctx, access, { request, port })) hasMoved = true;
  const now = await readRequest(db, id);
  if (!now || now.status !== "APPLYING") return null;
  const open = now.ports.filter(isOpen);
  if (open.length === 0) {
    await finish(own, now);
    return null;
  }
  const looks = hasMoved ? 0 : Math.min(now.looks, 20);
  const pauseMs = Math.min(firstPauseMs * 1.5 ** looks, ...open.map(longestPauseOf));
  await scheduleCheck(db, id, { at: new Date(own.now().getTime() + pauseMs), hasMoved });
  return pauseMs;
}

const isOpen = ({ status }: PortRow): boolean => status === "WAITING" || status === "APPLYING";

const longestPauseOf = ({ status, waiting }: PortRow): number => {
  if (waiting === faultText) return longestFaultPauseMs;
  return status === "APPLYING" ? longestPauseMs : longestWaitingPauseMs;
};

async function begin(ctx: HookContext, id: string): Promise<void> {
  const at = ctx.now();
  await inTransaction(ctx.builder.database, (tx) =>
    changeStatus(tx, id, {
      from: ["APPROVED"],
      to: "APPLYING",
      message: null,
      by: ctx.actor.ref,
      at,
      nextLookAt: at,
    }),
  );
}

interface PortContext {
  request: RequestRow;
  port: PortRow;
}

/** Whether it has moved on. A step that failed is taken again, and does not hold up other ports. */
async function advancePort(ctx: HookContext, access: AccessCoordinator, of: PortContext): Promise<boolean> {
  const { db } = ctx.builder.database;
  const { request, port } = of;
  const change = { number: port.number, attempt: request.attempt, from: port.status, at: ctx.now() };
  const step = await nextStep(ctx, access, of).catch((error: Error): Step => {
    const fields = { accessRequestId: request.id, outputPort: port.urn, reason: error.message };
    ctx.log.warn(fields, "a step of an access request failed");
    return stepAfterFault(port, change.at);
  });
  if (step === null) return false;
  const hasChanged = await changePort(db, { ...change, ...step });
  if (!hasChanged || step.to === port.status) return false;
  if (port.planId !== null) await wakeWaitingRequests(db, { ...request, at: change.at });
  return true;
}

/** Null where nothing is to be written. */
async function nextStep(ctx: HookContext, access: AccessCoordinator, of: PortContext): Promise<Step | null> {
  const { port } = of;
  if (port.planId === null) return askForChange(ctx, access, of);
  const end = await access.readEnd(ctx, port.planId);
  if (end !== null) return { to: end.isCompleted ? "DONE" : "FAILED", message: end.message };
  // The end could not be read before, and the reason is over.
  return port.waiting === null ? null : { to: port.status };
}

const faultText = "A step of it failed and is tried again; the reason is in the log of the server.";

/** One that fails for too long ends its port, which can be tried again; the first failure does not, however late it comes. */
function stepAfterFault(port: PortRow, at: Date): Step {
  const failingSince = port.waiting === faultText ? new Date(port.waitingSince ?? at) : at;
  if (at.getTime() - failingSince.getTime() < longestWaitMs) return { to: port.status, waiting: faultText };
  return { to: "FAILED", message: "A step of it has failed for too long; the log of the server says why." };
}

const approvedAtOf = ({ approvedAt, createdAt }: RequestRow): Date => approvedAt ?? createdAt;

type Step = Pick<PortChange, "to" | "planId" | "message" | "waiting">;

async function askForChange(
  ctx: HookContext,
  access: AccessCoordinator,
  { request, port }: PortContext,
): Promise<Step> {
  const waitedMs = ctx.now().getTime() - approvedAtOf(request).getTime();
  try {
    const answer = await access.change(ctx, {
      requestId: `${request.id}:${port.number}:${request.attempt}`,
      unitId: request.unitId,
      environment: request.environment,
      outputPortUrn: port.urn,
      outputPortId: port.number,
      operation: request.operation,
      identities: request.identities,
      accessControlFields: request.fields,
    });
    if ("planId" in answer) return { to: "APPLYING", planId: answer.planId };
    if (waitedMs < longestWaitMs) return { to: "WAITING", waiting: answer.waitsFor };
    return { to: "FAILED", message: `It has waited too long. ${answer.waitsFor}` };
  } catch (error) {
    // An invalid change is reported on the port; after any other error the step is taken again.
    if (!(error instanceof Failure) || error.kind === "unavailable" || error.kind === "internal") throw error;
    const messages = [error.message, ...error.problems.map(({ message }) => message)];
    if (error.kind === "conflict" && waitedMs < longestWaitMs)
      return { to: "WAITING", waiting: messages.join(" ") };
    return { to: "FAILED", message: messages.join(" ") };
  }
}

async function finish(ctx: HookContext, request: RequestRow): Promise<void> {
  const failed = request.ports.filter(({ status }) => status === "FAILED");
  const to = failed.length > 0 ? "FAILED" : request.operation === "GRANT" ? "GRANTED" : "REVOKED";
  const messages = failed.map(({ urn, message }) => `${urn}: ${message ?? "It failed."}`).join(" ");
  const message = failed.length === 0 ? null : messages;
  const at = ctx.now();
  await inTransaction(ctx.builder.database, async (tx) => {
    const { attempt } = request;
    const change = {
      from: ["APPLYING"],
      attempt,
      to,
      message,
      by: ctx.actor.ref,
      at,
      nextLookAt: null,
    } as const;
    if (!(await changeStatus(tx, request.id, change))) return;
    const subject = `access-request:${request.id}`;
    const detail = { status: to, ...(message === null ? {} : { message }) };
    await writeAudit(tx, ctx, { operation: "endAccessRequest", subject, detail });
  });
}
