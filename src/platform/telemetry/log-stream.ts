import { openSync, writeSync } from "node:fs";
import type { DestinationStream } from "pino";

/** Lines wait in memory until they are this long together or the oldest has waited this long. */
const gatheredLength = 64 * 1024;
const gatherMs = 100;

/**
 * Where the log goes: a file, or standard output by default. Lines are gathered for a moment, since a system
 * call for each costs a request more than routing it does; an orderly exit writes what is left. (The stream
 * that pino brings measures all it has gathered again at every line, which costs ten times what making the
 * line costs.)
 */
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
