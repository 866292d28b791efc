/** Processes of the product over a database and in a folder of their own, which tests kill and start anew. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  databaseVariables,
  killChild,
  servedUrl,
  startServer,
  startWorker,
  stopChild,
  type Child,
  type Worker,
} from "../crash/processes.ts";
import { testDatabase, type TestDatabase } from "./database.ts";
import { send, testKeyVariables, type Answer, type Call } from "./server.ts";

export interface ProcessStage {
  db: TestDatabase;
  /** Where the processes run, with their plinth.yaml. */
  cwd: string;
  /** Starts the process that serves and has no workers; resolves when it serves. */
  serve(): Promise<void>;
  killServer(): Promise<void>;
  /** To the process that serves, as a guest, whom a server on this machine lets in. */
  call(request: Call): Promise<Answer>;
  startWorker(): Worker;
  killWorkers(): Promise<void>;
  close(): Promise<void>;
}

export interface ProcessStageOptions {
  settings?: (cwd: string) => object;
  /** One of the run's own unless given; whoever gives one drops it. */
  db?: TestDatabase;
}

export async function openProcessStage({
  settings,
  db: given,
}: ProcessStageOptions = {}): Promise<ProcessStage> {
  const db = given ?? (await testDatabase());
  const cwd = await mkdtemp(join(tmpdir(), "plinth-processes-"));
  if (settings) await writeFile(join(cwd, "plinth.yaml"), JSON.stringify(settings(cwd)));
  const options = { cwd, env: { ...databaseVariables(db.connection), ...testKeyVariables } };
  const workers: Worker[] = [];
  let server: Child | undefined;
  let url = "";
  const fixture: ProcessStage = {
    db,
    cwd,
    async serve() {
      server = startServer(options, ["--workers", "off"]);
      url = await servedUrl(server);
    },
    async killServer() {
      if (server) await killChild(server);
    },
    call: (request) => send(url, { ...request, as: null }),
    startWorker() {
      const worker = startWorker(options);
      workers.push(worker);
      return worker;
    },
    async killWorkers() {
      await Promise.all(workers.splice(0).map(({ child }) => killChild(child)));
    },
    async close() {
      const children = workers.map(({ child }) => child);
      await Promise.all([...children, ...(server ? [server] : [])].map((child) => stopChild(child)));
      if (!given) await db.drop();
      await rm(cwd, { recursive: true, force: true });
    },
  };
  return fixture;
}
