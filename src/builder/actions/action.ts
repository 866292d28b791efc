/** What a step of a template can do, and what it is given to do it with. */
import type { Logger } from "../../platform/lib/logger.ts";
import type { EditPlan } from "../templates/template.ts";
import type { Workspace } from "../workspaces/workspace.ts";
import type { BuilderDeps } from "../context.ts";

export interface Action {
  /** E.g. `fetch:template`. */
  id: string;
  description: string;
  /** JSON Schema (draft 7) of the input; checked when the expressions in it are rendered. */
  input: object;
  /** JSON Schema of what it puts out. */
  output?: object;
  /** Whether it may run in a dry run; one that may not is left out there, and the log says so. */
  supportsDryRun: boolean;
  /**
   * Set when all that a run leaves behind is files of the workspace and lines of the log. Its record need not be safe before
   * the next step begins: what a crash takes away is then nothing that anybody has seen.
   */
  staysInWorkspace?: true;
  /** Set when a run leaves the workspace as it is. */
  onlyReads?: true;
  /** Rejects with a Failure whose message is for the user; anything else is a defect of ours and told without detail. */
  run: (ctx: ActionContext) => Promise<void>;
}

export interface ActionContext {
  deps: BuilderDeps;
  /** Rendered and valid. */
  input: Record<string, unknown>;
  /** Files of the instantiation; every path of an input is within it (workspaces/workspace-path.ts). */
  workspace: Workspace;
  /** Adds a line to the event log of the step; values of secrets are masked on the way. */
  say: (message: string, severity?: "DEBUG" | "INFO" | "WARNING" | "ERROR") => void;
  output: (name: string, value: unknown) => void;
  /** Aborted when the instantiation is cancelled or its time is over. */
  signal: AbortSignal;
  log: Logger;
  now: () => Date;
  isDryRun: boolean;
  taskId: string;
  stepId: string;
  /** By name; what the user gave in secret. Never in files, events, logs or the database in clear. */
  secrets: Readonly<Record<string, string>>;
  /** Entity reference of who started it. */
  user: string;
  template: {
    entityRef: string;
    /** Where its relative paths begin: the location of the template's own file. */
    baseUrl: string;
  };
  /** Values of the template's parameters. */
  parameters: Readonly<Record<string, unknown>>;
  /** Values that replace some of them in one environment, by environment. */
  environment: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Set when the task changes an entity that exists. */
  edit?: EditPlan | undefined;
  /** The same values as JSON, without the keys and items that hold a secret. */
  withoutSecrets: (values: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  /**
   * Runs the work once per instantiation and key, and answers what it then answered, also after a restart: for effects
   * outside that must not happen twice. The value must be JSON.
   */
  checkpoint: <T>(key: string, work: () => Promise<T>) => Promise<T>;
}
