/** What a closed environment does to a start: refuses it, lets its plan wait, or is overridden. */
import { isOperator } from "../../platform/auth/policy.ts";
import type { RequestContext } from "../../platform/lib/request-context.ts";
import { coordinatorFailure } from "../errors.ts";
import type { Hold } from "./hold-store.ts";
import { closedAt, type Closed, type MaintenanceWindow } from "./window.ts";

/** What the caller wants of a start while the environment is closed. */
export interface WhenClosed {
  whenClosed?: "refuse" | "wait" | "override" | undefined;
  overrideReason?: string | undefined;
}

export const readWhenClosed = (query: {
  "when-closed": "refuse" | "wait" | "override";
  "override-reason"?: string;
}): WhenClosed => ({ whenClosed: query["when-closed"], overrideReason: query["override-reason"] });

/** Throws unless the caller may ask for it; also while the environment is open. */
export function checkWhenClosed(ctx: RequestContext, { whenClosed, overrideReason }: WhenClosed): void {
  if ((whenClosed === "override") !== (overrideReason !== undefined)) {
    const needs = whenClosed === "override" ? "is needed with" : "is only used with";
    const problem = `${needs} when-closed=override`;
    throw coordinatorFailure("COORD_OVERRIDE_REASON", {
      message: `The query parameter override-reason ${problem}.`,
      where: "override-reason",
      solution: "Say why the operation begins all the same, or leave both out.",
    });
  }
  if (whenClosed !== "override" || isOperator(ctx.actor)) return;
  throw coordinatorFailure("COORD_OVERRIDE_FORBIDDEN", {
    message: "Only operators may begin operations while the environment's windows let nothing begin.",
    where: "when-closed",
    solution: "Start with when-closed=wait, or ask an operator.",
  });
}

export interface GateResult {
  /** Set where the plan has to wait. */
  hold: Hold | null;
  /** For the audit. */
  detail: object;
}

export interface GateQuestion {
  windows: readonly MaintenanceWindow[];
  environment: string;
  wanted: WhenClosed;
}

/** Throws where the start is refused. */
export function passGate(
  ctx: Pick<RequestContext, "now">,
  { windows, environment, wanted }: GateQuestion,
): GateResult {
  const closed = closedAt(windows, ctx.now());
  if (closed === null) return { hold: null, detail: {} };
  if (wanted.whenClosed === "override")
    return { hold: null, detail: { overridden: closed.reason, overrideReason: wanted.overrideReason } };
  if (wanted.whenClosed === "wait")
    return { hold: holdOf(closed, ctx.now()), detail: { waits: closed.reason } };
  throw coordinatorFailure("COORD_ENVIRONMENT_CLOSED", {
    message: `Nothing begins in ${environment} now. ${closed.reason}`,
    where: "environment",
    solution: "Start with when-closed=wait, or once it is open; an operator may override it with a reason.",
    input: environment,
  });
}

export const holdOf = ({ reason, opensAt }: Closed, now: Date): Hold => ({
  since: now.toISOString(),
  reason,
  until: opensAt?.toISOString() ?? null,
});
