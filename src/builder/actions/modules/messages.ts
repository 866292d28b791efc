/** The JSON messages between the server and a module process. */

/** How an action describes itself. */
export interface ListedAction {
  id: string;
  description: string;
  input: object;
  output: object | null;
  supportsDryRun: boolean;
}

/** The part of a step's context that is sent to the module process. */
export interface RemoteStep {
  actionId: string;
  input: Record<string, unknown>;
  workspace: string;
  /** For temporary files; gone afterwards. */
  temporary: string;
  secrets: Readonly<Record<string, string>>;
  user: string;
  taskId: string;
  stepId: string;
  isDryRun: boolean;
  template: { entityRef: string; baseUrl: string };
}

export type Severity = "DEBUG" | "INFO" | "WARNING" | "ERROR";

export type ToModule =
  | { kind: "list"; folder: string; modules: string[] }
  | { kind: "run"; folder: string; modules: string[]; step: RemoteStep }
  | { kind: "cancel"; reason: string }
  /** Asks the process to do the work of a checkpoint. */
  | { kind: "work"; number: number }
  | { kind: "checkpoint"; number: number; value: unknown }
  | { kind: "checkpointFailed"; number: number; message: string };

export type FromModule =
  | { kind: "actions"; actions: ListedAction[]; problems: string[] }
  | { kind: "log"; severity: Severity; message: string }
  | { kind: "output"; name: string; value: unknown }
  | { kind: "checkpoint"; number: number; key: string }
  | { kind: "worked"; number: number; value: unknown }
  | { kind: "workFailed"; number: number; message: string }
  | { kind: "done" }
  | { kind: "failed"; message: string };
