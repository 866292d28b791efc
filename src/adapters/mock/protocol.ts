/** The paths of the adapter protocol, answered by the behaviour of the component of the call. */
import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Behaviour, RequestedBehaviour, Operation, Phase } from "./behaviour.ts";
import { resolveBehaviour } from "./behaviour.ts";
import type { RequestedBehaviours } from "./identify.ts";
import { parseComponentId, scanComponentId } from "./identify.ts";
import { refusalOf } from "./refusal.ts";
import type { Journal, JournalEntry } from "./journal.ts";
import type { OddName } from "./odd-answers.ts";
import { oddActs, oddReply } from "./odd-answers.ts";
import type { Reply } from "./reply.ts";
import { json, plain } from "./reply.ts";
import type { Task, Tasks } from "./tasks.ts";
import { pollTask, statusBody, verdictOf } from "./tasks.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

export interface MockState {
  now: () => Date;
  tasks: Tasks;
  journal: Journal;
  /** Reads requested behaviour from a descriptor; null when descriptors are not read. */
  requestedOf: ((body: Buffer) => RequestedBehaviours) | null;
  fallback: RequestedBehaviour | undefined;
  components: Map<string, RequestedBehaviour>;
  /** How often each malformed answer was sent, by component, operation and phase. */
  oddCounts: Map<string, number>;
}

export interface Call {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A call with the component found and its behaviour resolved. */
interface Placed {
  call: Call;
  operation: Operation;
  componentId: string | null;
  behaviour: Behaviour;
  bodyHash: string | null;
  idempotencyKey: string | null;
  /** Problems of the component's requested behaviour; validation reports them. */
  requestProblems: string[];
}

const starts: Record<string, Operation> = {
  "/v1/provision": "provision",
  "/v1/unprovision": "unprovision",
  "/v1/updateacl": "updateacl",
  "/v1/reverse-provisioning": "reverse-provisioning",
  "/v2/validate": "validate",
};

export function handleProtocol(state: MockState, call: Call): Reply {
  const path = call.path.split("?", 1)[0] ?? "";
  if (call.method === "POST") {
    if (path === "/v1/validate") return validate(state, call);
    const operation = starts[path];
    if (operation !== undefined) return start(state, call, operation);
  }
  const match = /^\/(v1\/provision|v1\/reverse-provisioning|v2\/validate)\/([^/]+)(\/status)?$/.exec(path);
  if (match !== null) {
    const token = decode(match[2] ?? "");
    const isStatus = match[3] !== undefined;
    if (call.method === "GET" && isStatus) return poll(state, call, token);
    if (call.method === "DELETE" && !isStatus && match[1] === "v1/provision")
      return terminate(state, call, token);
  }
  if (call.method === "GET" && path === "/healthz") return json(200, { status: "ok" });
  record(state, call, { operation: "other" });
  return json(404, { error: "The mock has no such path." });
}

function validate(state: MockState, call: Call): Reply {
  const placed = place(state, call, "validate");
  if ("kind" in placed) return placed;
  const odd = takeOdd(state, placed, "validate");
  record(state, call, { ...entryOf(placed), odd });
  const normal = () =>
    json(200, verdictOf([...placed.behaviour.validationErrors, ...placed.requestProblems]));
  const reply = odd === null ? normal() : oddReply(odd, { token: "", normal });
  return delayed(reply, placed.behaviour.delayMs);
}

function start(state: MockState, call: Call, operation: Operation): Reply {
  const placed = place(state, call, operation);
  if ("kind" in placed) return placed;
  const { behaviour, bodyHash, componentId, idempotencyKey } = placed;
  const odd = takeOdd(state, placed, operation === "validate" ? "validate" : "start");
  if (odd !== null && !oddActs(odd)) {
    const repeat = state.tasks.isRepeat(operation, idempotencyKey);
    record(state, call, { ...entryOf(placed), odd, repeat });
    return delayed(oddReply(odd, { token: "", normal: () => json(200, {}) }), behaviour.delayMs);
  }
  const nowMs = state.now().getTime();
  const { task, repeat } = state.tasks.begin({
    operation,
    componentId,
    idempotencyKey,
    bodyHash: bodyHash ?? "",
    behaviour,
    nowMs,
  });
  const otherBody = repeat && task.bodyHash !== bodyHash;
  record(state, call, { ...entryOf(placed), odd, repeat, otherBody, acted: !repeat, token: task.token });
  const normal = () => (behaviour.mode === "async" ? plain(202, task.token) : json(200, finalStatus(task)));
  const reply = odd === null ? normal() : oddReply(odd, { token: task.token, normal });
  // A repeat during the first call is answered when that call is done.
  return delayed(reply, repeat ? task.startedAtMs + behaviour.delayMs - nowMs : behaviour.delayMs);
}

const finalStatus = (task: Task) =>
  statusBody(task, task.terminating === null ? task.behaviour.outcome : "TERMINATED");

function poll(state: MockState, call: Call, token: string): Reply {
  const task = state.tasks.find(token);
  const odd = task === undefined ? null : takeOdd(state, task, "poll");
  record(state, call, { operation: "poll", componentId: task?.componentId ?? null, token, odd });
  if (task === undefined) return json(404, { error: "The token is not known." });
  const normal = () => json(200, pollTask(task, state.now().getTime()));
  return odd === null ? normal() : oddReply(odd, { token, normal });
}

function terminate(state: MockState, call: Call, token: string): Reply {
  const task = state.tasks.find(token);
  const odd = task === undefined ? null : takeOdd(state, task, "terminate");
  record(state, call, { operation: "terminate", componentId: task?.componentId ?? null, token, odd });
  if (task === undefined) return json(400, { errors: ["The token is not known."] });
  const how = task.behaviour.terminate;
  const normal = () => {
    // A final status does not change: a termination that comes too late has no effect.
    if (task.finals > 0) return json(200, finalStatus(task));
    if (how === "unsupported") return json(501, { error: "This adapter cannot terminate." });
    if (how === "error") return json(500, { error: "The termination did not work." });
    task.terminating ??= how === "final" ? task.behaviour.terminatingPolls : 0;
    if (how === "final") return json(200, statusBody(task, "TERMINATED"));
    return json(202, statusBody(task, "TERMINATING"));
  };
  return odd === null ? normal() : oddReply(odd, { token, normal });
}

const unreadable = json(400, { errors: ["The body is not one of the adapter protocol."] });

/** Finds component and behaviour; a body that is not of the protocol is answered at once. */
function place(state: MockState, call: Call, operation: Operation): Placed | Reply {
  const componentId = componentIdOf(call.body, operation);
  const refusal = componentId === undefined ? unreadable : refusalOf(call.body, operation, componentId);
  if (componentId === undefined || refusal !== null) {
    record(state, call, { operation });
    return refusal ?? unreadable;
  }
  const allRequested = operation === "updateacl" ? undefined : state.requestedOf?.(call.body);
  const own = componentId === null ? undefined : state.components.get(componentId);
  const described = componentId === null ? undefined : allRequested?.byId.get(componentId);
  const problems = componentId === null ? undefined : allRequested?.problems.get(componentId);
  return {
    call,
    operation,
    componentId,
    behaviour: resolveBehaviour(operation, [state.fallback, described, own]),
    bodyHash: hash("sha256", call.body, "hex"),
    idempotencyKey: headerOf(call, "idempotency-key"),
    requestProblems: (problems ?? []).map((problem) => `${problem.where} ${problem.message}`),
  };
}

/** Undefined for a body that cannot be read, null when it names no component. */
function componentIdOf(body: Buffer, operation: Operation): string | null | undefined {
  const byDescriptor = operation !== "updateacl" && operation !== "reverse-provisioning";
  const scanned = byDescriptor ? scanComponentId(body) : null;
  if (scanned !== null) return scanned;
  const parsed = parseObject(body.toString("utf8"));
  if (parsed === null) return undefined;
  if (operation === "reverse-provisioning") return textOrNull(parsed["useCaseTemplateId"]);
  if (operation === "updateacl") {
    const info = isRecord(parsed["provisionInfo"]) ? parsed["provisionInfo"] : {};
    if (!Array.isArray(parsed["refs"]) || typeof info["request"] !== "string") return undefined;
    return parseComponentId(info["request"]);
  }
  return typeof parsed["descriptor"] === "string" ? parseComponentId(parsed["descriptor"]) : undefined;
}

/**
 * The malformed answer for this call, counted; null when none is requested or it has been sent often enough.
 */
function takeOdd(
  state: MockState,
  about: { behaviour: Behaviour; componentId: string | null; operation: Operation },
  phase: Phase,
): OddName | null {
  const odd = about.behaviour.odd[phase];
  if (odd === undefined) return null;
  const key = `${phase} ${about.operation} ${about.componentId}`;
  const given = state.oddCounts.get(key) ?? 0;
  if (given >= odd.times) return null;
  state.oddCounts.set(key, given + 1);
  return odd.name;
}

type Entry = Omit<JournalEntry, "sequence" | "time">;

function entryOf(placed: Placed): Partial<Entry> & { operation: Operation } {
  const { operation, componentId, bodyHash } = placed;
  return { operation, componentId, bodyHash };
}

function record(
  state: MockState,
  call: Call,
  entry: Partial<Entry> & { operation: Entry["operation"] },
): void {
  state.journal.add({
    method: call.method,
    path: call.path,
    componentId: null,
    idempotencyKey: headerOf(call, "idempotency-key"),
    traceparent: headerOf(call, "traceparent"),
    bodyHash: null,
    acted: false,
    repeat: false,
    otherBody: false,
    token: null,
    odd: null,
    ...entry,
  });
}

const delayed = (reply: Reply, afterMs: number): Reply =>
  afterMs > 0 && reply.kind !== "late" ? { kind: "late", afterMs, reply } : reply;

function headerOf(call: Call, name: string): string | null {
  const value = call.headers[name];
  return typeof value === "string" && value !== "" ? value : null;
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
