import type { Action } from "../../actions/action.ts";
import type { BuilderDeps } from "../../context.ts";
import type { Severity } from "../../../platform/events/events.ts";
import type { Logger } from "../../../platform/lib/logger.ts";
import type { TemplatePlan } from "../../templates/template.ts";
import type { TaskWorkspace } from "../workspaces/workspace.ts";
import type { Mask } from "../../../platform/lib/secrets/mask.ts";
import type { InstantiationLimits, StepRecord, TaskLine } from "../types.ts";

export interface Journal {
  /** Adds a line to the log; readers see it soon. */
  log(line: TaskLine, severity?: Severity): void;
  /** Resolves when the step is recorded durably, or with `canWait` when the write is pending. */
  recordStep(record: StepRecord, snapshot: Buffer | null, canWait: boolean): Promise<void>;
  recordCheckpoint(
    checkpoint: { step: number; key: string; value: unknown },
    snapshot: Buffer | null,
  ): Promise<void>;
}

export interface Run {
  deps: BuilderDeps;
  actions: ReadonlyMap<string, Action>;
  limits: InstantiationLimits;
  renderTimeoutMs: number;
  log: Logger;
  now: () => Date;
  taskId: string;
  plan: TemplatePlan;
  /** The parameters with the values of secret fields filled in. */
  parameters: Record<string, unknown>;
  environment: Record<string, Record<string, unknown>>;
  secrets: Record<string, string>;
  mask: Mask;
  user: { ref: string; entity?: unknown };
  recorded: ReadonlyMap<number, StepRecord>;
  /** By step and key, see `checkpointName`. */
  checkpoints: ReadonlyMap<string, unknown>;
  workspace: TaskWorkspace;
  /** Aborted when the task is cancelled, claimed by another worker, or handed over. */
  signal: AbortSignal;
  isDryRun: boolean;
  journal: Journal;
}

export const checkpointName = (step: number, key: string): string => `${step}/${key}`;
