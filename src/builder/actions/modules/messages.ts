/** What the server and the process of a module say to each other, as JSON. */

/** What an action says of itself. */
export interface ListedAction {
  id: string;
  description: string;
  input: object;
  output: object | null;
  supportsDryRun: boolean;
}

/** The part of a step's context that goes to the other process. */
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
  /** The work of a checkpoint is to be done there. */
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
