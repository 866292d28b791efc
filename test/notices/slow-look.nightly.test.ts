/** A look at many new things, where asking whom to tell takes long: it ends in time, and the next one goes on. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { look, type LookDeps } from "../../src/coordinator/watching/notices/collecting/look.ts";
import { beginLook } from "../../src/coordinator/watching/notices/collecting/store.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { startWholeServer, type WholeServer } from "../support/server.ts";

const askedMs = 300;
let server: WholeServer;
beforeAll(async () => {
  server = await startWholeServer({ workers: "off" });
});
afterAll(() => server.close());

it("writes what it has found before another process may begin one", async () => {
  const { database } = server.db;
  const items = Array.from({ length: 20 }, (_, index) => ({
    kind: "HOOK",
    id: `hook-${index}`,
    environment: "development",
    since: new Date(),
    operatorsDecide: false,
    visibleTo: [],
    title: "A question",
    path: "/approvals",
    expiresAt: null,
    notTo: null,
    deciders: async () => {
      await sleep(askedMs);
      return ["user:default/ada"];
    },
  }));
  const ada = { ref: "user:default/ada", email: "ada@sea.example", members: [] };
  const settings = {
    operators: [],
    copies: [],
    chats: [],
    mail: { kinds: ["HOOK"] },
    delayMinutes: { hook: 0, others: 0, toolApproval: 0, unknownOutcome: 0 },
  };
  const deps = {
    ctx: { coordinator: { database }, log: silentLogger, now: () => new Date() },
    settings,
    sources: [{ kinds: ["HOOK"], list: async () => items }],
    people: { contacts: async () => new Map([[ada.ref, ada]]) },
  } as unknown as LookDeps;
  const count = async (): Promise<number> => {
    const { rows } = await database.pool.query(
      "select count(*)::int as count from notices where kind = 'HOOK'",
    );
    return rows[0].count;
  };
  const counts = [0];
  while (counts.at(-1)! < items.length) {
    const begun = await beginLook(database.db, { at: new Date(), everyMs: 0 });
    await look(deps, begun!, 0);
    counts.push(await count());
    expect(counts.at(-1)).toBeGreaterThan(counts.at(-2)!);
  }
  expect(counts.length).toBeGreaterThan(2);
});
