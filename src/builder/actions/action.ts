/** The interface of an action, and the context in which a step calls it. */
import type { Logger } from "../../platform/lib/logger.ts";
import type { EditPlan } from "../templates/template.ts";
import type { Tree } from "../git/tree.ts";
import type { BuilderDeps } from "../context.ts";
import type { RequestContext } from "../../platform/lib/request-context.ts";

export interface Action {
  /** E.g. `fetch:template`. */
  id: string;
  description: string;
  /** JSON Schema (draft 7) of the input; checked when the expressions in it are rendered. */
  input: object;
  /** JSON Schema of its output. */
  output?: object;
  /** Whether it may run in a dry run; otherwise the dry run skips it and logs that. */
  supportsDryRun: boolean;
  /**
   * Set when a run only writes workspace files and log lines. Its record need not be durable before the next
   * step starts: a crash can only lose what nobody has seen yet.
   */
  staysInWorkspace?: true;
  /** Set when a run does not change the workspace. */
  onlyReads?: true;
  /**
   * Rejects with a Failure whose message is for the user; any other error is a defect, reported to the user
   * without details.
   */
  run: (ctx: ActionContext) => Promise<void>;
}

/** The files of a task, as actions see them. */
export interface Workspace {
  /** Writes files and returns how many; a Failure names what is in the way. */
  write(tree: Pick<Tree, "files" | "folders">, options: WriteOptions): Promise<number>;
  /** The folder on disk, which contains the files from now on. */
  folder(): Promise<string>;
}

export interface WriteOptions {
  /** Folder in the workspace. */
  targetPath: string;
  /** Whether existing files are overwritten; otherwise they stay. */
  replace: boolean;
  signal: AbortSignal;
}

export interface ActionContext {
  deps: BuilderDeps;
  /** Rendered and validated. */
  input: Record<string, unknown>;
  /** Files of the instantiation; every path of an input lies within it (`inWorkspace`). */
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
  /** Trace context for what it calls. */
  traceparent: string;
  stepId: string;
  /**
   * By name: the secrets that the user entered. They never appear in clear in files, events, logs or the
   * database.
   */
  secrets: Readonly<Record<string, string>>;
  /** Entity reference of who started it. */
  user: string;
  template: {
    entityRef: string;
    /** Base of its relative paths: the location of the template's own file. */
    baseUrl: string;
  };
  /** Values of the template's parameters. */
  parameters: Readonly<Record<string, unknown>>;
  /** Values that replace some of them in one environment, by environment name. */
  environment: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Set when the task changes an existing entity. */
  edit?: EditPlan | undefined;
  /** The same values as JSON, without the keys and items that contain a secret. */
  withoutSecrets: (values: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  /**
   * Runs the work once per instantiation and key and returns the stored result afterwards, also after a
   * restart: for external effects that must not happen twice. The value must be JSON.
   */
  checkpoint: <T>(key: string, work: () => Promise<T>) => Promise<T>;
  /**
   * Removes what this attempt has made outside, within the time of the signal; the next attempt waits for it. False, without
   * a call of `work`, when a later attempt goes on with what is there: the task is another worker's by now, was tried again,
   * or has been given back at a stop.
   */
  undo: (work: (signal: AbortSignal) => Promise<void>) => Promise<boolean>;
}

/**
 * The request context for an action that calls a service: the caller is the user who started the
 * instantiation.
 */
export const requestContextOf = ({
  user,
  now,
  log,
  signal,
  taskId,
  traceparent,
}: ActionContext): RequestContext => ({
  actor: { ref: user, roles: ["developer"], provider: "instantiation" },
  now,
  log,
  signal,
  requestId: taskId,
  traceparent,
});
