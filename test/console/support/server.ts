/**
 * A real server with a mock adapter, an embedded database and something to show on every page. By hand:
 *
 *   node test/console/support/main.ts --port 7107
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startMockAdapter, type MockAdapter } from "../../../src/adapters/mock/server.ts";
import { startPlinth } from "../../../src/app.ts";
import { loadConfig } from "../../../src/platform/config/load.ts";
import type { Config } from "../../../src/platform/config/schema/schema.ts";
import { logDestination } from "../../../src/platform/telemetry/log-stream.ts";
import { createLogger } from "../../../src/platform/telemetry/logger.ts";
import type { ScriptedModel } from "../../support/scripted-model/server.ts";
import { callerOf, type Caller } from "./caller.ts";
import { configureOperations, startReceiver, type Receiver } from "./seed-operations.ts";
import { seed } from "./seed.ts";
import { seedAssistant, startAssistantModel } from "./seed-assistant.ts";

export interface ConsoleServer {
  /** `http://127.0.0.1:<port>`; a browser is let in as a guest, who is an administrator. */
  url: string;
  mock: MockAdapter;
  /** Gets its webhooks and the messages of its chats. */
  receiver: Receiver;
  /** The assistant's: a program that follows a script. */
  model: ScriptedModel;
  /** Calls the interfaces as the guest, so as the person in the browser. */
  guest: Caller;
  /** Ada, a developer: what she asks for waits for the guest. */
  ada: Caller;
  close(): Promise<void>;
}

export interface ConsoleServerOptions {
  /** A free one unless given. */
  port?: number;
  configure?: (config: Config) => void;
  /** `all`, unless it is to have the adapters alone, or nothing. */
  seeded?: "all" | "adapters" | "nothing";
}

const adaToken = "token-of-ada-in-the-stories-of-the-console";
const guest = {
  dangerouslyAllowInProduction: false,
  userEntityRef: "user:default/guest",
  roles: ["admin" as const],
};
const root = join(import.meta.dirname, "../../..");

export async function startConsoleServer(options: ConsoleServerOptions = {}): Promise<ConsoleServer> {
  const { port = 0, configure, seeded = "all" } = options;
  const dataDir = await mkdtemp(join(tmpdir(), "plinth-console-"));
  await mkdir(dataDir, { recursive: true });
  const config = configOf(dataDir, port);
  const receiver = await startReceiver();
  configureOperations(config, receiver);
  configure?.(config);
  const mock = await startMockAdapter();
  const model = await startAssistantModel();
  const log = createLogger(config.log, logDestination(join(dataDir, "plinth.log")));
  const areas = ["builder", "assistant", "coordinator", "governance", "data-layer"] as const;
  const running = await startPlinth(config, { areas: [...areas], workers: "on" }, log, {});
  const url = running.url ?? "";
  const server: ConsoleServer = {
    url,
    mock,
    receiver,
    model,
    guest: callerOf(url),
    ada: callerOf(url, adaToken),
    async close() {
      await running.close();
      await mock.close();
      await receiver.close();
      await model.close();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  try {
    if (seeded !== "nothing") {
      await seed(server, seeded === "all");
      await seedAssistant(server, seeded === "all");
    }
  } catch (error) {
    await server.close();
    throw error;
  }
  return server;
}

function configOf(dataDir: string, port: number): Config {
  const { config } = loadConfig({
    files: [],
    cwd: dataDir,
    env: {
      PLINTH_SERVER_PORT: String(port),
      PLINTH_SERVER_SHUTDOWN_GRACE_MS: "1000",
      PLINTH_DATA_DIR: dataDir,
    },
  });
  const token = { name: "ada", secret: adaToken, roles: ["developer" as const] };
  const { environment } = config.auth;
  config.auth.providers.guest = { [environment]: guest };
  config.auth.providers.service = { [environment]: { tokens: [token] } };
  config.server.rateLimitPerMinute = 0;
  // Stories are told on machines that have other work as well.
  config.server.admission.queueMs = 60_000;
  config.mesh.builder.catalogue.folders = [join(root, "examples")];
  const location = (target: string) => ({
    type: "file" as const,
    target: join(root, "examples", target),
  });
  config.startupActions.catalog.locations = [
    location("governed/people.yaml"),
    location("from-template/templates/all.yaml"),
    ...[
      "fleet-positions",
      "raw-positions",
      "load-positions",
      "vehicles",
      "current-positions",
      "latest-positions",
    ].map((name) => location(`fleet-positions/${name}/catalog-info.yaml`)),
  ];
  config.actionHandlers.accessRequest.hooks = [
    {
      name: "owner approves",
      kind: "notification",
      timeoutMs: 5000,
      retryDelaysMs: [],
      expiresAfterMs: 604_800_000,
    },
  ];
  const { execution } = config.coordinator;
  Object.assign(execution, { pollInitialMs: 50, pollMaxMs: 500, retryDelayMs: 20, callAttempts: 2 });
  return config;
}
