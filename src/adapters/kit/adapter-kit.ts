/**
 * The adapter kit as its users import it: `plinth/adapter-kit`. Write the handlers of `AdapterHandlers`, give them to
 * `serveAdapter`, and the protocol is spoken: HTTP, credentials, tokens, idempotency keys, termination, error bodies,
 * limits. docs/guides/writing-an-adapter.md leads through it. What is not exported here may change at any time.
 */
export { Failure } from "../../platform/errors/failure.ts";
export type { Problem } from "../../platform/errors/failure.ts";
export { isRecord as isObject } from "../../platform/lib/is-record.ts";
export { findComponent, invalid as refuse, listComponents } from "./descriptor.ts";
export type {
  AclCall,
  AdapterHandlers,
  AdapterInfo,
  CallContext,
  DescriptorCall,
  JsonObject,
  LogLevel,
  Outcome,
  ProvisionCall,
  ReverseCall,
  ReverseOutcome,
} from "./protocol.ts";
export { serveAdapter } from "./serve.ts";
export type { ServeOptions } from "./serve.ts";
export { createAdapterServer } from "./server.ts";
export type { AdapterServer, AdapterServerOptions } from "./server.ts";
