/** The methods of both versions of A2A, and the handling of one JSON-RPC request. */
import type { TSchema } from "typebox";
import { createChecker, type Check, type Checker } from "../../../platform/http/input/check-input.ts";
import { capProblems } from "../../../platform/http/input/problems.ts";
import type { StreamRecord } from "../../../platform/http/responses/sse.ts";
import type { AssistantContext } from "../../context.ts";
import type { A2aVersion } from "./dialects.ts";
import { list } from "./list-tasks.ts";
import { invalidParams, Refusal, refusal, unknownMethod, violationsOf } from "./rpc-error.ts";
import {
  listParams,
  noParams,
  sendParamsV03,
  sendParamsV1,
  taskParams,
  type RpcAnswer,
  type RpcRequest,
} from "./schema.ts";
import { cancel, getTask, send, stream, subscribe, type Call, type Events } from "./service.ts";

interface Method {
  params: TSchema;
  run: (ctx: AssistantContext, call: Call) => Promise<object>;
}

const refusingMethod = (name: Parameters<typeof refusal>[0], message?: string): Method => ({
  params: noParams,
  run: () => Promise.reject(refusal(name, message)),
});

const noPush = refusingMethod("noPush");

const methods: Record<A2aVersion, Record<string, Method>> = {
  "1.0": {
    SendMessage: { params: sendParamsV1, run: send },
    SendStreamingMessage: { params: sendParamsV1, run: stream },
    GetTask: { params: taskParams, run: getTask },
    ListTasks: { params: listParams, run: list },
    CancelTask: { params: taskParams, run: cancel },
    SubscribeToTask: { params: taskParams, run: subscribe },
    CreateTaskPushNotificationConfig: noPush,
    GetTaskPushNotificationConfig: noPush,
    ListTaskPushNotificationConfigs: noPush,
    DeleteTaskPushNotificationConfig: noPush,
    GetExtendedAgentCard: refusingMethod(
      "unsupported",
      "There is no extended card; the agent card is complete.",
    ),
  },
  "0.3": {
    "message/send": { params: sendParamsV03, run: send },
    "message/stream": { params: sendParamsV03, run: stream },
    "tasks/get": { params: taskParams, run: getTask },
    "tasks/cancel": { params: taskParams, run: cancel },
    "tasks/resubscribe": { params: taskParams, run: subscribe },
    "tasks/pushNotificationConfig/set": noPush,
    "tasks/pushNotificationConfig/get": noPush,
    "tasks/pushNotificationConfig/list": noPush,
    "tasks/pushNotificationConfig/delete": noPush,
    "agent/getAuthenticatedExtendedCard": refusingMethod("noExtendedCard"),
  },
};

export interface RpcExchange {
  /** The version header as it was sent. */
  version: string;
  agentId: string | null;
  request: RpcRequest;
}

export type RpcOutcome = { body: RpcAnswer } | { events: AsyncGenerator<StreamRecord> };

/** Failures that the protocol has no error for are thrown and answered as for any other route. */
export async function exchange(ctx: AssistantContext, rpc: RpcExchange): Promise<RpcOutcome> {
  const { id = null, method: name, params = {} } = rpc.request;
  const envelope = { jsonrpc: "2.0" as const, id };
  try {
    const version = versionOf(rpc.version);
    const method = methodNamed(version, name);
    const problems = checkOf(method.params)(params);
    if (problems.length > 0) throw invalidParams(violationsOf(capProblems(problems, "body")));
    const result = await method.run(ctx, { version, params, agentId: rpc.agentId });
    return Symbol.asyncIterator in result
      ? { events: wrapInEnvelopes(result as Events, envelope) }
      : { body: { ...envelope, result } };
  } catch (error) {
    if (error instanceof Refusal) return { body: { ...envelope, error: error.rpc } };
    throw error;
  }
}

/** Patch versions are ignored; 0.3 is the default. */
function versionOf(text: string): A2aVersion {
  const version = text.trim() === "" ? "0.3" : /^(1\.0|0\.3)(?:\.\d+)?$/.exec(text.trim())?.[1];
  if (version === undefined) throw refusal("unknownVersion");
  return version as A2aVersion;
}

function methodNamed(version: A2aVersion, name: string): Method {
  const known = methods[version];
  const method = Object.hasOwn(known, name) ? known[name] : undefined;
  if (method === undefined) throw unknownMethod(name, Object.keys(known));
  return method;
}

/** Created at the first request, so that processes without A2A clients don't pay for it. */
let checker: Checker | undefined;
const checks = new Map<TSchema, Check>();

function checkOf(schema: TSchema): Check {
  checker ??= createChecker();
  const check = checks.get(schema) ?? checker.compile("body", schema);
  checks.set(schema, check);
  return check;
}

async function* wrapInEnvelopes(
  events: Events,
  envelope: { jsonrpc: "2.0"; id: string | number | null },
): AsyncGenerator<StreamRecord> {
  for await (const result of events) yield { data: { ...envelope, result } };
}
