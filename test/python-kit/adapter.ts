/** The example of the Python kit as a process. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const kit = fileURLToPath(new URL("../../packages/python-kit/", import.meta.url));

const envOfPython = { PATH: process.env["PATH"] ?? "", PYTHONDONTWRITEBYTECODE: "1" };

/** The tests beside the kit. @returns the exit code. */
export async function runOwnTests(): Promise<number | null> {
  const child = spawn("python3", ["-m", "unittest", "-b", "plinth_adapter_test"], {
    cwd: kit,
    env: envOfPython,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(child, "exit");
  return code as number | null;
}

export interface PythonAdapter {
  url: string;
  /** Ends it, and waits until it has ended. @returns its exit code, null after a kill. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** @param port 0 takes a free one. */
export async function startPythonAdapter(
  folder: string,
  { port = 0, env = {} }: { port?: number; env?: Record<string, string> } = {},
): Promise<PythonAdapter> {
  const child = spawn("python3", ["example.py", String(port), folder], {
    cwd: kit,
    env: { ...envOfPython, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await addressOf(child);
  return {
    url,
    async end(signal) {
      const ended = once(child, "exit");
      child.kill(signal);
      const [code] = await ended;
      return code as number | null;
    },
  };
}

async function addressOf(child: ChildProcess): Promise<string> {
  const exit = once(child, "exit").then(([code]) => {
    throw new Error(
      `The Python adapter ended with ${code} before it listened; it needs python3 with PyYAML.`,
    );
  });
  const [line] = await Promise.race([once(createInterface({ input: child.stdout! }), "line"), exit]);
  exit.catch(() => {});
  return JSON.parse(line).listening;
}
