export type TaskStatus = "open" | "processing" | "completed" | "failed" | "cancelled";
export type EndStatus = "completed" | "failed" | "cancelled";
export type StepStatus = "completed" | "failed" | "skipped";

export interface StepRecord {
  step: number;
  status: StepStatus;
  output: Record<string, unknown>;
  error?: string | null;
  startedAt: Date;
  endedAt: Date;
}

/** One log line of a task as sent in its event stream, besides `createdAt`. */
export interface TaskLine {
  message: string;
  stepId?: string;
  status?: string;
}

/** The secrets of users, in one object that is encrypted as a whole. */
export interface Secrets {
  /** By the name that templates use. */
  named: Record<string, string>;
  /** Values of secret fields by their JSON pointer: `/values/password`, `/environmentOverrides/production/password`. */
  fields: Record<string, unknown>;
}

/** A task as claimed by a worker. */
export interface ClaimedTask {
  id: string;
  fence: number;
  templateRef: string;
  planHash: string;
  owner: string;
  parameters: Record<string, unknown>;
  environment: Record<string, Record<string, unknown>>;
  sealed: Buffer | null;
  steps: StepRecord[];
  checkpoints: { step: number; key: string; value: unknown }[];
  hasWorkspace: boolean;
}

export interface InstantiationLimits {
  /** Tasks that this process runs at a time. */
  parallel: number;
  /** The part of `parallel` that one user may use; 0 for all. */
  parallelPerUser: number;
  actionTimeoutMs: number;
  eachItems: number;
  /** Events of one task. */
  events: number;
  /** JSON text of the output of one step, and of the task. */
  outputBytes: number;
  workspaceBytes: number;
  workspaceFiles: number;
  retentionDays: number;
}
