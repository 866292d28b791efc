/** The product as a process, watched from its start to its end. */
import { spawn } from "node:child_process";
import { once } from "node:events";

export interface Started {
  pid: number;
  signal(name: NodeJS.Signals): void;
  /** Resolves once it says that it is up: where it listens, or null for one of workers only. */
  up: Promise<string | null>;
  gone: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** What it has written so far. */
  output(): { out: string; err: string };
}

export interface StartProgram {
  /** The program and its arguments, for Node. */
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** Runs it as this user where the test itself is root. */
  uid?: number;
}

export function startProgram({ args, cwd, env, uid }: StartProgram): Started {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    // A session of its own: what it leaves behind is known by it.
    detached: true,
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  let out = "";
  let err = "";
  const { promise: up, resolve } = Promise.withResolvers<string | null>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
    const line = out.split("\n").find((each) => each.includes('"plinth is up"'));
    if (line?.endsWith("}")) resolve((JSON.parse(line) as { url: string | null }).url);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const gone = once(child, "close").then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }));
  return {
    pid: child.pid!,
    signal: (name) => void child.kill(name),
    up,
    gone,
    output: () => ({ out, err }),
  };
}
