/** Two processes of the product over one database, whose secrets are in files that are changed while they work. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { databaseVariables, servedUrl, startServer, stopChild, type Child } from "../crash/processes.ts";
import type { Connection } from "../../src/platform/db/database.ts";
import { eventually } from "../support/eventually.ts";

export interface Secrets {
  /** Of the fixed caller `ci`. */
  ciToken: string;
  adapterSecret: string;
  formerAdapterSecret: string | null;
  installationKey: string;
  formerKey: string | null;
  logLevel: "info" | "debug";
}

/** The fixed caller whose token nobody changes. */
export const ownerToken = "token-of-the-owner-0123456789";

export interface Installation {
  urls: readonly string[];
  /** Writes the files. */
  write(secrets: Secrets): Promise<void>;
  /** Writes a configuration that can't be used. */
  spoil(): Promise<void>;
  /** Sends each process that many signals. */
  signal(times?: number): void;
  /** Signals, and waits until each process has taken the configuration; resolves with what has changed in the first. */
  reload(): Promise<string[]>;
  /** Waits until each process has written a line with that message since `signal` or `reload` was last called. */
  said(message: string): Promise<void>;
  /** A command of the product beside them; `kill` ends it without warning, and then `code` is null. */
  command(...args: string[]): { ended: Promise<{ code: number | null; text: string }>; kill: () => void };
  /** SIGTERM to all; the codes with which they end. */
  stop(): Promise<(number | null)[]>;
}

export interface InstallationOptions {
  home: string;
  connection: Connection;
  program: string;
  secrets: Secrets;
}

/** A rekey of thousands of values takes seconds. */
const longestCommandMs = 120_000;

export async function startInstallation(options: InstallationOptions): Promise<Installation> {
  const { home, connection, program } = options;
  await write(home, options.secrets);
  const env = { ...databaseVariables(connection), PLINTH_SERVER_RATE_LIMIT_PER_MINUTE: "1000000" };
  const processes: { child: Child; lines: Record<string, unknown>[] }[] = [];
  for (const name of ["A", "B"]) {
    const child = startServer({ cwd: home, env, logFile: join(home, `${name}.log`) }, [], program);
    processes.push({ child, lines: [] });
  }
  const urls = await Promise.all(processes.map(({ child }) => servedUrl(child)));
  for (const { child, lines } of processes)
    createInterface({ input: child.process.stdout! }).on("line", (line) => {
      // Requests are logged too.
      if (line.includes('"requestId"')) return;
      lines.push(JSON.parse(line) as Record<string, unknown>);
    });
  const signal = (times = 1): void => {
    for (const { child, lines } of processes) {
      lines.length = 0;
      for (let sent = 0; sent < times; sent += 1) child.process.kill("SIGHUP");
    }
  };
  const found = (message: string) =>
    processes.map(({ lines }) => lines.find((line) => line["message"] === message));
  const said = async (message: string): Promise<Record<string, unknown>> => {
    await eventually(`"${message}" in the log of both processes`, () =>
      found(message).every((line) => line !== undefined),
    );
    return found(message)[0] ?? {};
  };
  return {
    urls,
    write: (secrets) => write(home, secrets),
    spoil: () => writeFile(join(home, "plinth.yaml"), "log: { level: loud }\nserver: { port: none }\n"),
    signal,
    async reload() {
      signal();
      return (await said("the configuration was read again"))["changed"] as string[];
    },
    said: async (message) => void (await said(message)),
    command: (...args) => runCommand(program, args, { cwd: home, env }),
    async stop() {
      await Promise.all(processes.map(({ child }) => stopChild(child)));
      return processes.map(({ child }) => child.process.exitCode);
    },
  };
}

async function write(home: string, secrets: Secrets): Promise<void> {
  const { formerKey, formerAdapterSecret } = secrets;
  const file = async (name: string, content: string): Promise<{ $file: string }> => {
    await writeFile(join(home, name), content);
    return { $file: name };
  };
  const settings = {
    log: { level: secrets.logLevel },
    auth: {
      providers: {
        service: {
          default: {
            tokens: [
              { name: "ci", secret: await file("ci-token", secrets.ciToken), roles: ["admin"] },
              { name: "owner", secret: ownerToken, roles: ["admin"] },
            ],
          },
        },
      },
    },
    adapters: {
      secret: await file("adapter-secret", secrets.adapterSecret),
      ...(formerAdapterSecret !== null && {
        formerSecret: await file("former-adapter-secret", formerAdapterSecret),
      }),
    },
    mesh: {
      builder: {
        instantiations: {
          secretKey: await file("key", secrets.installationKey),
          formerSecretKeys: formerKey === null ? [] : [await file("former-key", formerKey)],
        },
      },
    },
  };
  await writeFile(join(home, "plinth.yaml"), JSON.stringify(settings));
}

function runCommand(program: string, args: readonly string[], { cwd, env }: { cwd: string; env: object }) {
  const script = resolve(import.meta.dirname, "../..", program);
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, [script, ...args], {
    cwd,
    env: { PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: longestCommandMs,
    killSignal: "SIGKILL",
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const ended = once(child, "close").then(() => ({ code: child.exitCode, text }));
  return { ended, kill: () => void child.kill("SIGKILL") };
}
