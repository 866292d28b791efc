/** Engines behind the remote contract: `POST <url>/v1/evaluate`. */
import { Type, type Static } from "typebox";
import { Value } from "typebox/value";
import { isRecord } from "../../platform/lib/is-record.ts";
import { publicMessage, OutboundError } from "../../platform/outbound/outbound-error.ts";
import type { Outbound } from "../../platform/outbound/outbound.ts";
import type { EngineInput, EngineOutcome, EngineSpec, SpecProblem, Violation } from "./engine.ts";
import { cappedErrors } from "./limits.ts";

export type RemoteSpec = Extract<EngineSpec, { engine: "remote" }>;

const verdict = Type.Object({
  satisfiesPolicy: Type.Optional(Type.Boolean()),
  value: Type.Optional(Type.Number()),
  errors: Type.Optional(Type.Array(Type.Unknown())),
  details: Type.Optional(Type.Unknown()),
});

const usualTimeoutMs = 10_000;
const maxAnswerBytes = 1_048_576;
const attempts = 2;

export interface RemoteCall {
  kind: "policy" | "metric";
  spec: RemoteSpec;
  input: EngineInput;
  /** The same for each attempt. */
  id: string;
}

export function checkRemote({ url }: RemoteSpec, outbound: Outbound): SpecProblem[] {
  const path = "spec.url";
  const refusal = outbound.check(url);
  if (refusal !== null)
    return [
      {
        path,
        message: refusal.message,
        solution: refusal.solution ?? "Use an address that outbound.allow permits.",
      },
    ];
  const { username, password, search, hash } = new URL(url);
  if (`${username}${password}${search}${hash}` === "") return [];
  return [
    {
      path,
      // Everybody may read policies, so the address is no place for a secret.
      message: "The address has a user, a query or a fragment.",
      solution:
        "Give the address without them; the engine is called at its path with /v1/evaluate behind it.",
    },
  ];
}

/** One evaluation; tried again once where the engine could not be reached or answered with a 5xx. */
export async function evaluateRemotely(
  outbound: Outbound,
  call: RemoteCall,
  signal: AbortSignal,
): Promise<EngineOutcome> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await tryOnce(outbound, call, signal);
    const mayHelp = !outcome.ok && outcome.reason === "unreachable";
    if (!mayHelp || attempt === attempts || signal.aborted) return outcome;
  }
}

async function tryOnce(outbound: Outbound, call: RemoteCall, signal: AbortSignal): Promise<EngineOutcome> {
  const { spec, input, id } = call;
  try {
    const answer = await outbound.request({
      url: `${spec.url.replace(/\/+$/, "")}/v1/evaluate`,
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", "idempotency-key": id },
      body: JSON.stringify({
        content: input.resource,
        resourceType: input.resourceType,
        resourceId: input.resourceId,
        environment: input.environment,
      }),
      timeoutMs: spec.timeoutMs ?? usualTimeoutMs,
      maxResponseBytes: maxAnswerBytes,
      signal,
    });
    if (answer.status >= 500) return unreachable(`The engine answered ${answer.status}.`);
    if (answer.status !== 200) return broken(`The engine answered ${answer.status}.`);
    return read(answer.body.toString("utf8"), call.kind);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.reason === "too_large")
      return { ok: false, reason: "limit", message: "The answer is too large." };
    if (error.reason === "timeout")
      return { ok: false, reason: "timeout", message: "The engine did not answer in time." };
    return unreachable(publicMessage(error));
  }
}

function read(text: string, kind: "policy" | "metric"): EngineOutcome {
  const body = parse(text);
  if (!Value.Check(verdict, body)) return broken("The engine's answer is not what the contract says.");
  const { satisfiesPolicy, value, errors = [], details }: Static<typeof verdict> = body;
  if (kind === "metric")
    return value === undefined
      ? broken("The engine answered no value.")
      : { ok: true, value, errors: [], details };
  if (satisfiesPolicy === undefined) return broken("The engine answered no satisfiesPolicy.");
  if (satisfiesPolicy && errors.length > 0)
    return broken("The engine says that the policy is satisfied and names errors.");
  const violations = cappedErrors(errors.slice(0, 101).map(violationOf), errors.length);
  const unnamed: Violation[] = [{ message: "The engine says that the resource does not fit." }];
  const shown = satisfiesPolicy || violations.length > 0 ? violations : unnamed;
  return { ok: true, satisfied: satisfiesPolicy, errors: shown, details };
}

function violationOf(value: unknown): Violation {
  if (!isRecord(value)) return { message: String(value) };
  const { path, message } = value;
  return {
    ...(typeof path === "string" ? { path } : {}),
    message: typeof message === "string" ? message : JSON.stringify(value),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const broken = (message: string): EngineOutcome => ({ ok: false, reason: "broken", message });
const unreachable = (message: string): EngineOutcome => ({ ok: false, reason: "unreachable", message });
