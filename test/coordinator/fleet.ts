/** Units in several states, and plans of which one stays at work, for the tests of what shows them at a glance. */
import { expect } from "vitest";
import { startWholeServer, until, type Answer, type WholeServer } from "../support/server.ts";
import { ended, mastId, ships, start, type Ships } from "./ships.ts";

export const namedUnit = (name: string, more: object = {}): Ships => ({
  ...ships(`urn:dmb:dp:sea:${name}:0`),
  name,
  ...more,
});
export const barge = namedUnit("barge", { domain: "sea", dataProductOwner: "user:ann", kind: "dataproduct" });
export const ferry = namedUnit("ferry", { domain: "lake", dataProductOwner: "user:ann", kind: "system" });
export const hulk = namedUnit("hulk");
const canoe = namedUnit("canoe", { domain: "sea", projectOwner: "user:bob", kind: "dataproduct" });

export interface Fleet {
  server: WholeServer;
  plans: { first: string; second: string; production: string; failed: string; busy: string };
  get(path: string): Promise<Answer>;
  bodyOf(path: string): Promise<any>;
  close(): Promise<void>;
}

/** Deploys the barge twice, and once in production; the ferry fails, and the hulk stays at work. */
export async function startFleet(): Promise<Fleet> {
  const server = await startWholeServer({
    configure: (config) => {
      config.coordinator.execution.connectRetryMs = 100;
      const [first] = config.mesh.builder.environments;
      config.mesh.builder.environments.push({ ...first!, name: "staging" });
      const cron = {
        environment: "production",
        cron: "0 4 1 1 *",
        timeZone: "Europe/Rome",
        reconcile: "ask",
      } as const;
      const every = { environment: "staging", everyMinutes: 60, timeZone: "UTC", reconcile: "off" } as const;
      config.coordinator.drift.schedules = [cron, every];
    },
  });
  const get = (path: string): Promise<Answer> => server.coordinator({ path, as: "viewer" });
  await server.registerMock();
  const run = async (unit: Ships): Promise<string> => {
    const token = await start(server, unit);
    await ended(server, token);
    return token;
  };
  const first = await run(barge);
  const changed = structuredClone(barge);
  changed.version = "1.3.0";
  changed.components[1]!.kind = "view";
  Object.assign(changed.components[2]!, { dbPassword: "hush" });
  const second = await run(changed);
  const production = await run({ ...barge, environment: "production" });
  await run(canoe);
  server.mock.setBehaviours({ components: { [mastId]: { outcome: "FAILED", result: "No wood." } } });
  const failed = await run(ferry);
  const logs = { lines: 0, style: "new" } as const;
  const slow = { mode: "async", runningPolls: Number.MAX_SAFE_INTEGER } as const;
  server.mock.setBehaviours({ default: { operations: { provision: slow }, logs } });
  const busy = await start(server, hulk);
  await until(
    () => get(`/v1/execution-plans/${busy}/termination`),
    ({ body }) => body.modes?.[1]?.tasks.some(({ effect }: any) => effect === "STOPPED"),
  );
  return {
    server,
    plans: { first, second, production, failed, busy },
    get,
    async bodyOf(path) {
      const { status, body, text } = await get(path);
      expect(status, text).toBe(200);
      return body;
    },
    async close() {
      const path = `/v1/execution-plans/${busy}/terminate?mode=forced`;
      await server.coordinator({ method: "POST", path });
      await server.close();
    },
  };
}
