/** Two interfaces and two workers over one database and one mock adapter, all in this process. */
import type { RequestedBehaviour } from "../../src/adapters/mock/behaviour.ts";
import { startEngine, type TestEngine } from "../engine/engine.ts";
import { startWholeServer, type Answer, type Call, type WholeServer } from "../support/server.ts";
import type { TestDatabase } from "../support/database.ts";
import { waitLimitMs } from "../support/eventually.ts";
import type { Behaviour } from "./reference.ts";

export interface System {
  call(api: number, call: Call): Promise<Answer>;
  /** By what was asked and the status of the answer, how often. */
  covered: Map<string, number>;
  /** How long a plan may take to its end. */
  waitLimitMs: number;
  first: WholeServer;
  /** Hands a plan to a worker, as the job queue does. */
  drive(worker: number, token: string): void;
  /** As kill -9, and a new one in its place. */
  kill(worker: number): Promise<void>;
  close(): Promise<void>;
}

export async function openSystem(db?: TestDatabase): Promise<System> {
  const first = await startWholeServer({ workers: "off", ...(db ? { db } : {}) });
  const second = await startWholeServer({ workers: "off", db: { ...first.db, drop: async () => {} } });
  const { connection } = first.db;
  const newWorker = (): Promise<TestEngine> =>
    startEngine(connection, { slots: { total: 64, perAdapter: 64 }, limits: { taskTimeoutMs: 600_000 } });
  const workers = [await newWorker(), await newWorker()];
  const covered = new Map<string, number>();
  return {
    first,
    covered,
    waitLimitMs,
    async call(api, call) {
      const answer = await (api === 0 ? first : second).coordinator(call);
      const asked = `${call.method ?? "GET"} ${call.path.split("?")[0]?.split("/").at(-1)} ${answer.status}`;
      covered.set(asked, (covered.get(asked) ?? 0) + 1);
      return answer;
    },
    drive: (worker, token) => void workers[worker]?.drive(token).catch(() => {}),
    async kill(worker) {
      const victim = workers[worker];
      if (!victim) return;
      victim.kill();
      workers[worker] = await newWorker();
      await victim.close(0);
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.close(0)));
      await second.close();
      await first.close();
    },
  };
}

/** For all but the changes of access, which are always done at once. */
export function mockBehaviour(behaviour: Behaviour): RequestedBehaviour {
  const both = (requested: RequestedBehaviour): RequestedBehaviour => ({
    operations: { provision: requested, unprovision: requested },
  });
  switch (behaviour) {
    case "done":
      return {};
    case "slow":
      return both({ delayMs: 15 });
    case "async":
      return both({ mode: "async", runningPolls: 2 });
    case "fails":
      return both({ outcome: "FAILED" });
    case "refuses":
      return both({ odd: { start: { name: "400", times: 1_000 } } });
    case "breaks":
      return both({ odd: { start: { name: "500-acted", times: 1_000 } } });
    case "hangs":
      return both({ mode: "async", runningMs: 3_600_000 });
    default:
      return { operations: { validate: { validationErrors: ["no"] } } };
  }
}
