/** The adapter under the conformance checks that any adapter is held against. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";

import { testDatabase } from "../../../test/support/database.ts";
import type { TestDatabase } from "../../../test/support/database.ts";
import { newId } from "../../platform/lib/ids.ts";
import { runConformance } from "../conformance/run.ts";
import { column, idOf, load, port, storage, system, unitOf, vehicles, workload } from "./testdata.ts";
import { startPostgresAdapter } from "./server.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const cases: [name: string, component: string, needs: string[], async: boolean][] = [
  ["a table", "vehicles", [], false],
  ["a table, with tokens", "vehicles", [], true],
  ["a view, with what it needs", "readers", ["vehicles", "load", "latest"], true],
];

it.each(cases)("has the full score with %s", async (_name, component, needs, async) => {
  const secret = "a shared secret";
  const adapter = await startPostgresAdapter({ databaseUrl: database.url, secret, async });
  try {
    const report = await runConformance({
      url: adapter.url,
      secret,
      subject: {
        unit: unitOf(system),
        componentId: idOf(component),
        needs: needs.map(idOf),
        refs: ["user:conformance-ada", "group:conformance-readers"],
        invalidUnit: unitOf([
          { ...vehicles, specific: {} },
          load,
          workload("latest", {}),
          port("readers", "nothing", { columns: [column("plate", "NOPE")] }),
          storage("other", []),
        ]),
        reverseParams: {},
      },
      timeoutMs: 30_000,
      waitMs: 30_000,
      pollMs: 10,
      only: [],
      newId,
      now: () => performance.now(),
      sleep: (ms, signal) => sleep(ms, undefined, { signal }),
      signal: new AbortController().signal,
    });
    const found = report.results.flatMap(({ id, deviations }) =>
      deviations.map(({ what }) => `${id}: ${what}`),
    );
    expect(found).toEqual([]);
    const skipped = report.results.filter(({ outcome }) => outcome === "skipped").map(({ id }) => id);
    expect(skipped).toEqual(
      async
        ? []
        : [
            "provisioning.token",
            "provisioning.end-stays",
            "termination.running",
            "termination.usable-after",
            "termination.finished",
          ],
    );
    expect(report).toMatchObject({ score: 100, complete: true, leftBehind: [] });
  } finally {
    await adapter.close();
  }
});
