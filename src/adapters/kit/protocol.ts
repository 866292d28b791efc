/**
 * The types of the tech adapter protocol: what the coordinator sends and what an adapter answers. Handlers
 * get the parsed forms (`DescriptorCall` and others); the wire forms stay in server.ts.
 */
import type { Problem } from "../../platform/errors/failure.ts";

export type LogLevel = "DEBUG" | "INFO" | "WARNING" | "ERROR";

export interface LogEntry {
  /** ISO 8601. */
  timestamp: string;
  level: LogLevel;
  message: string;
  phase?: string;
}

export type DescriptorKind = "COMPONENT_DESCRIPTOR" | "DATAPRODUCT_DESCRIPTOR";

/** A JSON object whose fields nobody has checked yet. */
export type JsonObject = Record<string, unknown>;

/** What every call over a descriptor carries. */
export interface DescriptorCall {
  kind: DescriptorKind;
  /** The whole deployment unit, as sent. */
  unit: JsonObject;
  /** The component to act on; absent when the call is about the unit itself. */
  component: JsonObject | undefined;
  /** JSON pointer of the component inside the unit, e.g. `/components/2`; empty for the unit itself. */
  pointer: string;
}

export interface ProvisionCall extends DescriptorCall {
  /** The unit as it was last deployed, with each component's latest `info`, when the coordinator knows one. */
  latest: JsonObject | undefined;
  /** Unprovision only: whether the data goes too. */
  removeData: boolean;
}

export interface AclCall extends DescriptorCall {
  /** The complete wanted set (`user:…`, `group:…`); an empty list revokes all. */
  refs: string[];
  /** The adapter's response when the component was provisioned, as the coordinator stored it. */
  provisionResult: unknown;
}

export interface ReverseCall {
  useCaseTemplateId: string;
  environment: string;
  params: JsonObject;
  catalogInfo: JsonObject | undefined;
}

/** What a handler gets beside its call. */
export interface CallContext {
  /**
   * Aborted when the coordinator terminates the operation or the adapter shuts down, and in a validation that is answered at once when
   * the caller has gone.
   */
  signal: AbortSignal;
  /** Adds a line to the logs that the answer carries. Never pass secrets, data or SQL. */
  log: (level: LogLevel, message: string, phase?: string) => void;
  /** W3C trace context of the call, when the coordinator sent one. */
  traceparent: string | undefined;
}

/** The result of a provision, unprovision or access operation that went well. */
export interface Outcome {
  /** One line for people. */
  result: string;
  info?: AdapterInfo;
}

export interface AdapterInfo {
  /** Shown to users. */
  publicInfo: JsonObject;
  /** Stored by the coordinator and sent back later; not shown. */
  privateInfo?: JsonObject;
  aclInfo?: JsonObject[];
}

export interface ReverseOutcome {
  /** Keyed by the path of the field in the entity, e.g. `spec.mesh.dataContract.schema`. */
  updates: JsonObject;
}

/**
 * What an adapter author writes. Handlers must be idempotent: the coordinator repeats a call whose answer it lost,
 * and the kit's memory of idempotency keys ends with the process. Refuse bad input by throwing a `Failure` of kind
 * `invalid` with every problem; anything else that is thrown becomes a 500 without its text.
 */
export interface AdapterHandlers {
  /** Returns every problem found, none when the descriptor can be provisioned. Changes nothing. */
  validate(call: DescriptorCall, context: CallContext): Promise<Problem[]>;
  provision(call: ProvisionCall, context: CallContext): Promise<Outcome>;
  unprovision(call: ProvisionCall, context: CallContext): Promise<Outcome>;
  /** Left out where there is no access to manage; then the adapter answers 404 and access requests are refused. */
  updateAcl?(call: AclCall, context: CallContext): Promise<Outcome>;
  /** Reads what is there and changes nothing. Left out where there is nothing to read. */
  reverseProvision?(call: ReverseCall, context: CallContext): Promise<ReverseOutcome>;
  /**
   * Given when running operations can be stopped: the kit has aborted the operation's signal before the call.
   * Without it the adapter answers termination with 501.
   */
  terminate?(operation: { token: string; action: string }): Promise<void>;
}
