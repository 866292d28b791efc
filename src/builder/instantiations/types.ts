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

/** One line of the event stream of a task, as it goes over the wire besides `createdAt`. */
export interface TaskLine {
  message: string;
  stepId?: string;
  status?: string;
}

/** What users give in secret, in one place, so that it can be sealed as a whole. */
export interface Secrets {
  /** By the name under which templates know them. */
  named: Record<string, string>;
  /** Values of secret fields by their JSON pointer: `/values/password`, `/environmentOverrides/production/password`. */
  fields: Record<string, unknown>;
}

/** A task as a worker has taken it. */
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
  /** Tasks that this process drives at a time. */
  parallel: number;
  /** Of them, those of one user; 0 for all. */
  parallelPerUser: number;
  actionTimeoutMs: number;
  eachItems: number;
  /** Events of one task. */
  events: number;
  /** JSON text of what one step puts out, and of the task's own output. */
  outputBytes: number;
  workspaceBytes: number;
  workspaceFiles: number;
  retentionDays: number;
}
