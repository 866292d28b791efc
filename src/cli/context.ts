import { EventEmitter, once } from "node:events";
import { stylesFor, type Styles } from "./print/colors.ts";

/** Standard output or standard error. */
export interface Output {
  write(text: string): void;
  /** Resolves when its reader has taken so much that more may be written; rejects when nothing can be written. */
  drained(): Promise<void>;
  isTty: boolean;
  styles: Styles;
  /** Size of the terminal now; undefined for a file or a pipe. */
  size(): { columns: number; rows: number } | undefined;
}

/** The context of a command; created once per process, and by tests. */
export interface Cli {
  out: Output;
  err: Output;
  env: Record<string, string | undefined>;
  cwd: string;
  /** Aborted by the first Ctrl-C. */
  signal: AbortSignal;
  now: () => number;
  /** Read when somebody pipes into a command that was given `-`. */
  readInput(): Promise<string>;
  /** Asks the user; null when the input has ended. */
  ask(question: string): Promise<string | null>;
  /**
   * Registers a synchronous clean-up for a forced end: the second Ctrl-C, or a defect. Returns what
   * unregisters it.
   */
  onForce(act: () => void): () => void;
  /** Registers what SIGHUP does in a process that serves; it ends any other command, as Ctrl-C does. */
  onHangup(act: () => void): void;
  /**
   * Exits after `ms` if the process is still running, with `process.exitCode` where it is set, and prints
   * `reason` first.
   */
  endWithin(ms: number, reason?: () => string): void;
}

/** Runs a command's work; the number it returns becomes the exit code. */
export type Run = (work: () => Promise<number>) => Promise<void>;

export interface StreamLike {
  write(text: string): unknown;
  writableNeedDrain?: boolean;
  isTTY?: boolean;
  columns?: number;
  rows?: number;
}

/** Colours only on a terminal, and not with NO_COLOR. */
export function toOutput(stream: StreamLike, env: Record<string, string | undefined>): Output {
  const isTty = stream.isTTY === true;
  return {
    write: (text) => void stream.write(text),
    async drained() {
      if (stream instanceof EventEmitter && stream.writableNeedDrain === true) await once(stream, "drain");
    },
    isTty,
    styles: stylesFor(isTty && !env["NO_COLOR"] && env["TERM"] !== "dumb"),
    size: () => (isTty ? { columns: stream.columns ?? 80, rows: stream.rows ?? 24 } : undefined),
  };
}

export const printLines = (output: Output, lines: readonly string[]): void =>
  output.write(lines.map((line) => `${line}\n`).join(""));

/** The one document that a command with --json prints. */
export const printJson = (output: Output, value: unknown): void =>
  output.write(`${JSON.stringify(value, null, 2)}\n`);

/** One line of a stream of documents. */
export const printJsonLine = (output: Output, value: unknown): void =>
  output.write(`${JSON.stringify(value)}\n`);
