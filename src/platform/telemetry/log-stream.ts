/**
 * A log stream that gathers lines for a moment and writes them with one system call; an orderly exit writes what is left. It serves the
 * goal of HTTP requests at half of bare node:http (bench/http.ts), which write a line each: a line costs 3.5 µs of CPU, and 6.0 µs with
 * pino's own stream, which measures all that it has gathered at every line: `node bench/tricks.ts`, 2026-11-22. Besides, an idle
 * process is not woken by it (pino's stream needs a timer that always runs), and a reader that has gone does not end the process.
 */
import { openSync, writeSync } from "node:fs";
import type { DestinationStream } from "pino";

/** Lines wait in memory until they are this long together or the oldest has waited this long. */
const gatheredLength = 64 * 1024;
const gatherMs = 100;

/** Where the log goes: a file, or standard output by default. */
export const logDestination = (file?: string): DestinationStream => {
  const write = file === undefined ? standardOutput() : fileWriter(file);
  let lines: string[] = [];
  let length = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const text = lines.join("");
    lines = [];
    length = 0;
    if (text !== "") {
      write(text);
    }
  };
  process.once("exit", flush);
  return {
    write(line) {
      lines.push(line);
      length += line.length;
      if (length >= gatheredLength) {
        flush();
      } else {
        timer ??= setTimeout(flush, gatherMs).unref();
      }
    },
  };
};

/** The process goes on serving when the reader of its log has gone. */
const standardOutput = (): ((text: string) => void) => {
  process.stdout.on("error", () => undefined);
  return (text) => {
    process.stdout.write(text);
  };
};

const fileWriter = (file: string): ((text: string) => void) => {
  const descriptor = openSync(file, "a");
  return (text) => {
    writeSync(descriptor, text);
  };
};
