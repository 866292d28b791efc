/** Every bound of the kit, by name. */
export const kitLimits = {
  /** Size of a request body. A descriptor of 10,000 components fits. */
  bodyBytes: 10 * 1024 * 1024,
  /** Nesting of a descriptor. */
  descriptorDepth: 64,
  /** YAML aliases in one descriptor. */
  descriptorAliases: 1000,
  /** Nodes of one descriptor once its aliases are expanded. */
  descriptorNodes: 500_000,
  /** Finished operations that stay known to polling and to repeated idempotency keys. */
  finishedOperations: 5000,
  /** Operations running at the same time; further calls are answered 503. */
  runningOperations: 256,
  /** Log entries kept per operation, and characters of one message. */
  logEntries: 1000,
  logMessageChars: 2000,
  /** Entries of `refs` in one access call, and characters of one. */
  refs: 1000,
  refChars: 500,
  idempotencyKeyChars: 500,
  /** How long a shutdown waits for running operations before their signals are aborted, and after that. */
  closeGraceMs: 2000,
  closeAbortMs: 3000,
  /** How long a termination call waits for the end before it answers 202. */
  terminateWaitMs: 1000,
} as const;
