/** Pure: errors as JSON-RPC and A2A have them. */
import type { Problem } from "../../../platform/errors/failure.ts";
import { isInputProblem } from "../../../platform/http/operation.ts";
import type { RpcAnswer } from "./schema.ts";

export type RpcError = NonNullable<RpcAnswer["error"]>;

/** Thrown for errors that the protocol defines. */
export class Refusal extends Error {
  readonly rpc: RpcError;

  constructor(rpc: RpcError) {
    super(rpc.message);
    this.rpc = rpc;
  }
}

const refusals = {
  unknownTask: { code: -32001, reason: "TASK_NOT_FOUND", message: "There is no such task." },
  notCancelable: {
    code: -32002,
    reason: "TASK_NOT_CANCELABLE",
    message: "The task has ended and can't be cancelled.",
  },
  noPush: {
    code: -32003,
    reason: "PUSH_NOTIFICATION_NOT_SUPPORTED",
    message: "Push notifications are not supported; subscribe to the task, or ask for it again.",
  },
  unsupported: { code: -32004, reason: "UNSUPPORTED_OPERATION", message: "This is not supported." },
  noFiles: {
    code: -32005,
    reason: "CONTENT_TYPE_NOT_SUPPORTED",
    message: "Parts may be text or data; files are not taken.",
  },
  noExtendedCard: {
    code: -32007,
    reason: "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
    message: "There is no extended card; the agent card is complete.",
  },
  unknownVersion: {
    code: -32009,
    reason: "VERSION_NOT_SUPPORTED",
    message: "A2A-Version must be 1.0 or 0.3.",
  },
} as const;

export const refusal = (name: keyof typeof refusals, message?: string): Refusal => {
  const { code, reason, message: usual } = refusals[name];
  const info = {
    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
    reason,
    domain: "a2a-protocol.org",
  };
  return new Refusal({ code, message: message ?? usual, data: [info] });
};

export const unknownMethod = (method: string, methods: readonly string[]): Refusal =>
  new Refusal({
    code: -32601,
    message: `There is no method ${JSON.stringify(method.slice(0, 100))}; there are: ${methods.join(", ")}.`,
    data: [],
  });

export interface Violation {
  /** `message.parts.0.text`. */
  field: string;
  description: string;
}

export const invalidParams = (violations: readonly Violation[]): Refusal =>
  new Refusal(withViolations(-32602, "The parameters are not valid", violations));

/** The response to a body that is not JSON, or not a JSON-RPC request. */
export const malformedRequest = (problems: readonly Problem[]): RpcAnswer => {
  const isNoJson = problems.some((problem) => isInputProblem(problem) && notJson.has(problem.keyword));
  const error = isNoJson
    ? withViolations(-32700, "The body is not valid JSON", violationsOf(problems))
    : withViolations(-32600, "The request is no request of JSON-RPC 2.0", violationsOf(problems));
  return { jsonrpc: "2.0", id: null, error };
};

const notJson = new Set(["json", "empty"]);

export const violationsOf = (problems: readonly Problem[]): Violation[] =>
  problems.map((problem) => ({
    field: isInputProblem(problem) ? problem.path.join(".") : problem.where,
    description: problem.message,
  }));

const withViolations = (code: number, what: string, violations: readonly Violation[]): RpcError => ({
  code,
  message: `${what}: ${violations.map(({ field, description }) => `${field} ${description}`.trim()).join("; ")}.`,
  data: [
    {
      "@type": "type.googleapis.com/google.rpc.BadRequest",
      fieldViolations: violations.map((violation) => ({ ...violation })),
    },
  ],
});
