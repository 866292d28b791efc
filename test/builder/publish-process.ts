/** One attempt of a publish step in a process of its own, to be killed; its checkpoints are on disk, as a worker's are. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Integration } from "../../src/builder/git/integrations.ts";
import { github } from "../../src/builder/actions/publishing/github.ts";
import { publishGit } from "../../src/builder/actions/publishing/publish-git.ts";
import { publishToHost } from "../../src/builder/actions/publishing/publish-host.ts";
import { onDisk } from "../../src/builder/actions/testdata.ts";
import { newTraceparent } from "../../src/platform/lib/ids.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { openOutboundClients } from "../../src/platform/outbound/outbound-clients.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { builderSettings } from "../../src/builder/settings.ts";
import type { BuilderDeps } from "../../src/builder/context.ts";

export interface Attempt {
  action: string;
  input: Record<string, unknown>;
  workspace: string;
  dataDir: string;
  checkpoints: string;
  integrations: Integration[];
}

const attempt = JSON.parse(process.argv[2] ?? "") as Attempt;
const { config } = loadConfig({ files: [], env: {}, cwd: attempt.dataDir });
const { dataDir, integrations } = attempt;
const settings = { ...builderSettings(config), dataDir, integrations };
const { clients, close } = openOutboundClients(
  { ...config.outbound, allowPrivateNetworks: true },
  silentLogger,
);
const deps: BuilderDeps = {
  ...Object.create(null),
  outbound: clients,
  settings,
};

const retained = new Map<string, unknown>(read(attempt.checkpoints));
const outputs: Record<string, unknown> = {};
const stop = new AbortController();
process.stderr.write("begins\n");
await [publishGit, publishToHost(github)]
  .find(({ id }) => id === attempt.action)!
  .run({
    deps,
    input: attempt.input,
    workspace: onDisk(attempt.workspace),
    say: () => {},
    output: (name, value) => void (outputs[name] = value),
    signal: stop.signal,
    log: silentLogger,
    now: () => new Date(),
    isDryRun: false,
    taskId: "task-1",
    traceparent: newTraceparent(),
    stepId: "publish",
    secrets: {},
    user: "user:default/ada",
    template: { entityRef: "template:default/ship", baseUrl: "" },
    parameters: {},
    environment: {},
    withoutSecrets: (values) => ({ ...values }),
    async checkpoint<T>(key: string, work: () => Promise<T>): Promise<T> {
      if (retained.has(key)) return retained.get(key) as T;
      const value = await work();
      retained.set(key, value);
      writeFileSync(`${attempt.checkpoints}.new`, JSON.stringify([...retained]));
      renameSync(`${attempt.checkpoints}.new`, attempt.checkpoints);
      return value;
    },
    async undo(work) {
      await work(stop.signal);
      return true;
    },
  });
process.stdout.write(JSON.stringify(outputs));
await close();

function read(path: string): [string, unknown][] {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as [string, unknown][];
  } catch {
    return [];
  }
}
