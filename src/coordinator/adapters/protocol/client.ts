import type { CallTrace } from "../../../platform/outbound/call-span.ts";
import type { Outbound, OutboundRequest } from "../../../platform/outbound/outbound.ts";
import { OutboundError } from "../../../platform/outbound/outbound-error.ts";
import { redactUrl } from "../../../platform/outbound/redact.ts";
import type {
  AdapterOperation,
  Fault,
  PollAnswer,
  PollValidationAnswer,
  StartAnswer,
  StartValidationAnswer,
  TerminateAnswer,
  Unsupported,
  ValidateAnswer,
} from "./answers.ts";
import { createAuthorizations, type Authorization, type ReadSecrets } from "./authorization.ts";
import type { Endpoint, HttpAnswer } from "./interpret.ts";
import {
  interpretPoll,
  interpretPollValidation,
  interpretStart,
  interpretStartValidation,
  interpretTerminate,
  interpretValidate,
  transportFault,
} from "./interpret.ts";
import { bodyText } from "./text.ts";

/** One call: its address, and the key that identifies it across retries. */
export interface AdapterCall {
  /** Whose address it is, for what is counted of calls. */
  adapterId?: string | null;
  /** The registered URL, a prefix of every path; it may end in a slash. */
  url: string;
  /** Stable across the retries of one action of one task. */
  idempotencyKey: string;
  traceparent: string;
  timeoutMs: number;
  signal?: AbortSignal;
}

export interface AdapterClientOptions {
  outbound: Outbound;
  now: () => Date;
  /** Shared with the adapters; without one calls carry no Authorization. */
  secrets?: ReadSecrets;
  limits?: { maxResponseBytes?: number };
}

export type AdapterBody = string | Buffer[];

/** The protocol of tech adapters. No function throws for what an adapter or the network does. */
export interface AdapterClient {
  /** POST /v1/validate */
  validate(call: AdapterCall, body: AdapterBody): Promise<ValidateAnswer>;
  /** POST /v2/validate, which an adapter may not have. */
  startValidation(call: AdapterCall, body: AdapterBody): Promise<StartValidationAnswer>;
  /** GET /v2/validate/{token}/status */
  pollValidation(call: AdapterCall, token: string): Promise<PollValidationAnswer>;
  /** POST /v1/provision, /v1/unprovision, /v1/updateacl or /v1/reverse-provisioning */
  start(call: AdapterCall, operation: AdapterOperation, body: AdapterBody): Promise<StartAnswer>;
  /** GET of the status of a token that `start` gave. */
  poll(call: AdapterCall, token: string, operation: AdapterOperation): Promise<PollAnswer>;
  /** DELETE /v1/provision/{token}, which an adapter may not have. */
  terminate(call: AdapterCall, token: string): Promise<TerminateAnswer>;
}

type Method = "GET" | "POST" | "DELETE";
export type Route = Endpoint & { method: Method; path: string };

const route = (endpoint: Omit<Route, "label">): Route => ({
  ...endpoint,
  label: `${endpoint.method} ${endpoint.path}`,
});

const starts: Record<AdapterOperation, Route> = {
  provision: route({ method: "POST", path: "/v1/provision", role: "start", optional: false }),
  unprovision: route({ method: "POST", path: "/v1/unprovision", role: "start", optional: false }),
  updateacl: route({ method: "POST", path: "/v1/updateacl", role: "start", optional: true }),
  "reverse-provisioning": route({
    method: "POST",
    path: "/v1/reverse-provisioning",
    role: "start",
    optional: true,
  }),
};
const provisionStatus = route({
  method: "GET",
  path: "/v1/provision/{token}/status",
  role: "poll",
  optional: false,
});
const polls: Record<AdapterOperation, Route> = {
  provision: provisionStatus,
  unprovision: provisionStatus,
  updateacl: provisionStatus,
  "reverse-provisioning": {
    ...route({ ...provisionStatus, path: "/v1/reverse-provisioning/{token}/status" }),
  },
};
const termination = route({
  method: "DELETE",
  path: "/v1/provision/{token}",
  role: "terminate",
  optional: true,
});
const validation = route({ method: "POST", path: "/v1/validate", role: "validate", optional: false });
const validationStart = route({
  method: "POST",
  path: "/v2/validate",
  role: "start-validation",
  optional: true,
});
const validationStatus = route({
  method: "GET",
  path: "/v2/validate/{token}/status",
  role: "poll-validation",
  optional: false,
});

/** The variable parts of a call: the token in its path and the body. */
interface Content {
  token?: string;
  body?: AdapterBody;
}

type Send = (endpoint: Route, call: AdapterCall, content: Content) => Promise<HttpAnswer | Fault>;

/**
 * Sends calls, signed when there is a secret. A peer that refuses the first secret may not have been given it yet: it is asked
 * once more with each of those of before, and with the first again. Errors of the peer or the network are returned as a fault.
 */
export function createSend(options: AdapterClientOptions): Send {
  const { outbound, now, secrets = () => [], limits } = options;
  const authorizations = createAuthorizations(secrets, now);
  const sendOnce = async (
    endpoint: Route,
    request: OutboundRequest,
    { own, all }: { own: Authorization | undefined; all: readonly Authorization[] },
  ): Promise<HttpAnswer | Fault> => {
    const headers = { ...request.headers };
    if (own !== undefined) headers["authorization"] = await own.header();
    try {
      const response = await outbound.request({ ...request, headers });
      const hidden = all.flatMap((each) => each.secrets());
      const text = bodyText(response.body, hidden);
      return { status: response.status, headers: response.headers, text, nowMs: now().getTime() };
    } catch (error) {
      if (error instanceof OutboundError) return faultOf(endpoint, error);
      throw error;
    }
  };
  return async (endpoint, call, content) => {
    const request = requestOf(endpoint, call, content);
    if (request === null) {
      const message = "the registered URL or the token does not make a usable address.";
      return transportFault(endpoint, {
        reason: "refused_by_policy",
        requestSent: false,
        retryable: false,
        message,
      });
    }
    if (limits?.maxResponseBytes !== undefined) request.maxResponseBytes = limits.maxResponseBytes;
    const all = authorizations();
    const [first, ...others] = all;
    let answer = await sendOnce(endpoint, request, { own: first, all });
    // The adapter may have exchanged its secret between the attempts, so the first secret is tried once more at the end.
    for (const own of others.length === 0 ? [] : [...others, first]) {
      if ("type" in answer || answer.status !== 401) break;
      answer = await sendOnce(endpoint, request, { own, all });
    }
    return answer;
  };
}

/** Null when no usable address can be made. */
function requestOf(endpoint: Route, call: AdapterCall, { token, body }: Content): OutboundRequest | null {
  const url = urlOf(endpoint, call.url, token);
  if (url === null) return null;
  const { method } = endpoint;
  const headers: Record<string, string> = {
    accept: "application/json, text/plain;q=0.9",
    traceparent: headerValue(call.traceparent),
    "idempotency-key": headerValue(call.idempotencyKey),
  };
  if (body !== undefined) headers["content-type"] = "application/json";
  const trace = (): CallTrace => traceOf(endpoint, call);
  const request: OutboundRequest = { method, url, headers, timeoutMs: call.timeoutMs, trace };
  if (body !== undefined) request.body = body;
  if (call.signal !== undefined) request.signal = call.signal;
  return request;
}

/** The address of a service is its own; of an adapter the paths are ours. */
const traceOf = ({ path, role }: Route, { url, idempotencyKey }: AdapterCall): CallTrace => ({
  ...(path === "" ? {} : { template: path, base: redactUrl(url).replace(/\/+$/, "") }),
  attributes: { "plinth.adapter.call": role, "plinth.idempotency_key": idempotencyKey },
});

/** Interprets the answer, unless the call ended in a fault. */
export async function ask<Answer>(
  endpoint: Route,
  interpret: (endpoint: Endpoint, answer: HttpAnswer) => Answer,
  sent: Promise<HttpAnswer | Fault>,
): Promise<Answer | Fault> {
  const answer = await sent;
  return "type" in answer ? answer : interpret(endpoint, answer);
}

export function createAdapterClient(options: AdapterClientOptions): AdapterClient {
  const send = createSend(options);
  return {
    validate: (call, body) => ask(validation, interpretValidate, send(validation, call, { body })),
    startValidation: (call, body) =>
      ask(validationStart, interpretStartValidation, send(validationStart, call, { body })),
    pollValidation: (call, token) =>
      ask(validationStatus, interpretPollValidation, send(validationStatus, call, { token })),
    start: (call, operation, body) =>
      ask(starts[operation], interpretStart, send(starts[operation], call, { body })),
    poll: (call, token, operation) =>
      ask(polls[operation], interpretPoll, send(polls[operation], call, { token })),
    terminate: (call, token) => ask(termination, interpretTerminate, send(termination, call, { token })),
  };
}

export interface VerdictQuestion {
  body: AdapterBody;
  /** Whether the adapter's deployment asks for /v2/validate. */
  isAsync: boolean;
  /** Told before /v1/validate is asked in place of a /v2/validate that the adapter does not have. */
  onUnsupported?: (answer: Unsupported) => Promise<void>;
}

/** Asks by the operation that the adapter's deployment asks for; by /v1/validate where it does not have that. */
export async function askForVerdict(
  adapters: Pick<AdapterClient, "validate" | "startValidation">,
  call: AdapterCall,
  { body, isAsync, onUnsupported }: VerdictQuestion,
): Promise<Exclude<StartValidationAnswer, Unsupported>> {
  if (isAsync) {
    const answer = await adapters.startValidation(call, body);
    if (answer.type !== "unsupported") return answer;
    await onUnsupported?.(answer);
  }
  return adapters.validate(call, body);
}

const hopeless = new Set(["too_large", "aborted"]);

function faultOf(endpoint: Route, error: OutboundError): Fault {
  const { reason, requestSent, message } = error;
  const retryable = !error.isRefused && !hopeless.has(reason);
  return transportFault(endpoint, { reason, requestSent, retryable, message });
}

/**
 * The path below the registered prefix; null when the prefix has a query or the token would change the path.
 */
function urlOf(endpoint: Route, prefix: string, token: string | undefined): string | null {
  if (prefix.includes("?") || prefix.includes("#") || token === "" || token === "." || token === "..")
    return null;
  const base = prefix.endsWith("/") ? prefix.replace(/\/+$/, "") : prefix;
  if (token === undefined) return base + endpoint.path;
  return base + endpoint.path.replace("{token}", () => encodeURIComponent(token.toWellFormed()));
}

/**
 * Keys are built from ids that users choose; what a header cannot carry is percent-encoded, the same each
 * time.
 */
function headerValue(text: string): string {
  return /^[\x21-\x7e]+$/.test(text) ? text : encodeURIComponent(text.toWellFormed());
}
