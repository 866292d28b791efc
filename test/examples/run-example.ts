import { execFile } from "node:child_process";
import { join } from "node:path";

export interface ExampleRun {
  code: number;
  /** All that it has printed. */
  text: string;
}

/** Runs an example as its npm script does; one that hangs is ended before the limit of its test. */
export const runExample = (name: string, ...args: string[]): Promise<ExampleRun> => {
  const script = join(import.meta.dirname, "../../examples", name, "main.ts");
  return new Promise((done) => {
    execFile(process.execPath, [script, ...args], { timeout: 550_000 }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : 1, text: stdout + stderr });
    });
  });
};
