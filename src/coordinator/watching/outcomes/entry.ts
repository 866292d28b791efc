/** An entry of the ledger: a stored one, or a task of a running plan in the same shape. */
export interface OutcomeRow {
  planId: string;
  taskId: string;
  unitKey: string | null;
  unitId: string | null;
  environment: string;
  action: string;
  componentKey: string | null;
  componentId: string | null;
  adapterId: string | null;
  adapterUrl: string | null;
  taskStatus: string;
  token: string | null;
  idempotencyKey: string;
  traceparent: string;
  attempts: number;
  since: Date;
  lastCallAt: Date | null;
  /** Null while the task's plan runs. */
  endedAt: Date | null;
  lastAnswer: string | null;
  polls: number;
  lastPollAt: Date | null;
  lastPollAnswer: string | null;
  /** Times that the adapter was asked by the clock since the plan ended. */
  retries: number;
  nextRetryAt: Date | null;
  /** Why it is not asked by the clock any more. */
  retryEnded: string | null;
  /** Why it was not asked when that was due; null once it is asked. */
  retryWaiting: string | null;
  /** The adapter declares that an identical call under the same key may be repeated at any time. */
  isRepeatable: boolean;
  /** The clock makes its call again just now; no plan of the unit begins meanwhile. */
  isRepeating: boolean;
  settledAt: Date | null;
  settledBy: string | null;
  outcome: string | null;
  reason: string | null;
}
