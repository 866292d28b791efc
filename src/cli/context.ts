import { stylesFor, type Styles } from "./print/colors.ts";

/** Standard output or standard error, as far as it is used. */
export interface Output {
  write(text: string): void;
  isTty: boolean;
  styles: Styles;
  /** Size of the terminal now; undefined for a file or a pipe. */
  size(): { columns: number; rows: number } | undefined;
}

/** What a command gets; made once per process, and by tests. */
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
  /** Asks the person; null when nobody answers any more. */
  ask(question: string): Promise<string | null>;
  /**
   * Runs when the process ends at once: at the second Ctrl-C, or by a defect. Must not wait for anything. Returns what
   * takes it back once there is nothing left to end.
   */
  onForce(act: () => void): () => void;
  /**
   * Exits after `ms` if the process is still running, with `process.exitCode` where it is set. The text of `tell` is
   * printed before.
   */
  endWithin(ms: number, reason?: () => string): void;
}

/** Runs a command's work; the number it returns becomes the exit code. */
export type Run = (work: () => Promise<number>) => Promise<void>;

export interface StreamLike {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
  rows?: number;
}

/** Colours only for people: on a terminal, unless NO_COLOR says not to. */
export function toOutput(stream: StreamLike, env: Record<string, string | undefined>): Output {
  const isTty = stream.isTTY === true;
  return {
    write: (text) => void stream.write(text),
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
