/** How long each part of the product takes, after a promotion, until it works with the new primary. */
import { setTimeout as sleep } from "node:timers/promises";
import { workerLockClass } from "../../src/platform/jobs/worker-lease.ts";
import { connectTo } from "../../src/platform/db/database.ts";
import type { Instance } from "../faults/random/instance.ts";
import { environment, mockId } from "../faults/registration.ts";
import { connectionTo, type Pair } from "./pair.ts";

export const parts = ["writes", "leases", "tasks", "connections"] as const;
/** For each part the ms until it was back; null when it was not in time. */
export type Back = Record<(typeof parts)[number], number | null>;

export interface Installed {
  pair: Pair;
  instances: readonly Instance[];
  adapterUrl: string;
}

const everyMs = 50;

export async function measureBack(installed: Installed, longestMs: number): Promise<Back> {
  const from = Date.now();
  const within = async (isBack: () => Promise<boolean>): Promise<number | null> => {
    while (Date.now() < from + longestMs) {
      if (await isBack().catch(() => false)) return Date.now() - from;
      await sleep(everyMs);
    }
    return null;
  };
  const found: Record<string, number | null> = {};
  const looks = looksAt(installed, new Date(from));
  await Promise.all(parts.map(async (part) => (found[part] = await within(looks[part]))));
  return found as Back;
}

function looksAt(
  { pair, instances, adapterUrl }: Installed,
  from: Date,
): Record<keyof Back, () => Promise<boolean>> {
  /** Each has to succeed once. */
  const waiting = new Set(instances);
  return {
    async writes() {
      await Promise.all(
        [...waiting].map(async (instance) => {
          if (await canWrite(instance, adapterUrl)) waiting.delete(instance);
        }),
      );
      return waiting.size === 0;
    },
    leases: async () => (await count(pair, leases, [workerLockClass, from])) >= instances.length,
    tasks: async () => (await count(pair, tasks, [from])) > 0,
    connections: () => Promise.resolve(instances.every(({ wire }) => wire.openTo(pair.standby.port) === 0)),
  };
}

async function canWrite(instance: Instance, url: string): Promise<boolean> {
  const answer = await fetch(
    `${instance.url()}/api/coordinator/v1/tech-adapters/${mockId}/deployments/${environment}`,
    {
      method: "PUT",
      body: JSON.stringify({ url }),
      headers: { "content-type": "application/json" },
      signal: AbortSignal.timeout(5_000),
    },
  );
  await answer.body?.cancel();
  return answer.ok;
}

/** Workers with their lock and a heartbeat of after the promotion. */
const leases = `select count(*)::int as n from workers w join pg_locks l on l.locktype = 'advisory' and l.granted
  and l.classid = $1::int::oid and l.objid = w.lock_key::oid where w.heartbeat_at > $2`;
const tasks = "select count(*)::int as n from plan_tasks where stopped_at > $1";

async function count(pair: Pair, text: string, values: unknown[]): Promise<number> {
  const client = await connectTo(connectionTo(pair, pair.primary));
  try {
    const { rows } = await client.query<{ n: number }>(text, values);
    return rows[0]?.n ?? 0;
  } finally {
    await client.end();
  }
}
