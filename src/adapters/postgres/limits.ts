/** Every bound of the adapter, by name. */
export const postgresLimits = {
  /** What PostgreSQL keeps of an identifier (NAMEDATALEN - 1). */
  identifierBytes: 63,
  columns: 500,
  /** Characters of a workload's SQL. */
  sqlChars: 100_000,
  /** Rows that are counted for `rowCount`; beyond it the count is a lower bound. */
  countedRows: 1_000_000,
  poolConnections: 12,
  connectTimeoutMs: 10_000,
  keepAliveMs: 30_000,
  /** How long a statement may wait for locks of others, and how long one statement may run. */
  lockTimeoutMs: 10_000,
  statementTimeoutMs: 10 * 60_000,
  /** The same for validation, which must not delay other transactions. */
  dryRunLockTimeoutMs: 1000,
  dryRunStatementTimeoutMs: 10_000,
  /** A transaction that lost a deadlock or a race over a schema is run again, this many times in all. */
  transactionAttempts: 4,
  /** Calls that take longer are answered with a token to poll. */
  answerAfterMs: 5000,
} as const;
