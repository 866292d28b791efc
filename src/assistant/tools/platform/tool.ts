/** The form of the platform's tools: each wraps one or a few operations. */
import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Static, TObject } from "typebox";
import type { PolicyId } from "../../../platform/auth/policy.ts";
import { Failure } from "../../../platform/errors/failure.ts";
import type { Actor } from "../../../platform/lib/actor.ts";
import type { RequestContext } from "../../../platform/lib/request-context.ts";
import type { PlatformAnswer, PlatformClient } from "../../ports.ts";

/** Calls operations as the caller, and throws `Refused` when one does not succeed. */
export interface Caller {
  get(path: string, query?: Query): Promise<OperationAnswer>;
  post(
    path: string,
    request?: { query?: Query; body?: unknown; headers?: Headers },
  ): Promise<OperationAnswer>;
  /** An idempotency key: the same for the same call within one request, so that a repeat after a crash has no effect. */
  repeatKey(input: unknown): string;
  readonly signal: AbortSignal;
  /** As whom operations are called. */
  readonly actor: Actor;
}

export type Query = Record<string, string | number | boolean | readonly string[] | undefined>;
type Headers = Record<string, string>;

export interface OperationAnswer {
  headers: Record<string, string>;
  /** Parsed JSON; undefined when there is no body. */
  value: any;
}

export interface PlatformTool<S extends TObject = TObject> {
  name: string;
  title: string;
  description: string;
  input: S;
  /** Whether the tool changes nothing. Before other tools the user is asked, unless the policy says otherwise. */
  readOnly: boolean;
  /** The rule of the operation that it calls; tools that change something name it, so that roles are checked before the user is asked. */
  needs?: PolicyId;
  /** Resolves to a value that is shown as JSON. */
  run(caller: Caller, input: Static<S>): Promise<unknown>;
}

/** Unknown arguments are refused, so that the model learns of them. */
export const platformTool = <S extends TObject>(tool: PlatformTool<S>): PlatformTool => ({
  ...tool,
  input: { ...tool.input, additionalProperties: false },
});

/** An operation was refused; the message is the text of its response. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "Refused";
    this.status = status;
  }
}

interface Calling {
  client: PlatformClient;
  ctx: RequestContext;
  signal: AbortSignal;
}

export function createCaller({ client, ctx, signal }: Calling, toolName: string): Caller {
  const ask = async (request: Omit<Parameters<PlatformClient>[1], "signal">): Promise<OperationAnswer> =>
    read(await client(ctx, { ...request, signal }));
  return {
    signal,
    actor: ctx.actor,
    get: (path, query = {}) => ask({ method: "GET", path: withQuery(path, query) }),
    post: (path, { query = {}, body, headers = {} } = {}) =>
      ask({ method: "POST", path: withQuery(path, query), body, headers }),
    repeatKey: (input) =>
      createHash("sha256")
        .update(JSON.stringify([ctx.requestId, ctx.actor.ref, toolName, input]))
        .digest("base64url"),
  };
}

function read({ status, headers, body }: PlatformAnswer): OperationAnswer {
  if (status >= 400) throw new Refused(status, refusalText(status, body));
  return { headers, value: body === "" ? undefined : (JSON.parse(body) as unknown) };
}

const pollMs = 500;

/** Polls until the value is final or the time is over; resolves to the last value. */
export async function waitFor<T>(
  caller: Caller,
  { seconds, isFinal, ask }: { seconds: number; isFinal: (value: T) => boolean; ask: () => Promise<T> },
): Promise<T> {
  const end = performance.now() + seconds * 1_000;
  for (;;) {
    const value = await ask();
    if (isFinal(value) || performance.now() >= end) return value;
    await pause(pollMs, undefined, { signal: caller.signal });
  }
}

const longestRefusal = 6_000;

/** Error bodies differ by area; they are passed on as text, which a model reads in any shape. */
function refusalText(status: number, body: string): string {
  const text = body.length <= longestRefusal ? body : `${body.slice(0, longestRefusal)}… (cut)`;
  return `The platform refused this (${status}${reasons[status] ?? ""}): ${text}`;
}

const reasons: Record<number, string> = {
  400: ", the input is not valid",
  401: ", nobody is signed in",
  403: ", the user may not do this",
  404: ", not found",
  409: ", in conflict with the present state",
  429: ", too many requests",
  503: ", not available now",
};

function withQuery(path: string, query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const each of Array.isArray(value) ? (value as string[]) : [value])
      search.append(name, String(each));
  }
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

/** A template tag that encodes the values in a path. */
export const urlPath = (parts: TemplateStringsArray, ...values: string[]): string =>
  String.raw({ raw: parts }, ...values.map((value) => encodeURIComponent(value)));

/** The message of an expected failure; undefined for a defect. */
export const failureText = (error: unknown): string | undefined =>
  error instanceof Refused || error instanceof Failure ? error.message : undefined;
