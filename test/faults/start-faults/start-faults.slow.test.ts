import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { seededRandom } from "../../crash/random.ts";
import { productProgram } from "../../crash/processes.ts";
import { testDatabase } from "../../support/database.ts";
import { drawPoints, nameOf, type Point } from "./points.ts";
import { runStartFaults } from "./run.ts";

const root = join(import.meta.dirname, "../../..");

/** How many points of each kind are drawn; a fault is one of a connection or of a statement. */
const wanted: Record<Point["kind"], number> = {
  fault: 2,
  signal: 1,
  "role limit": 1,
  address: 1,
  "data directory": 1,
  embedded: 1,
  "second signal": 1,
};

it("a start that fails or is stopped anywhere ends in time, says why and leaves nothing", async () => {
  const db = await testDatabase();
  const seed = Date.now() % 1_000_000;
  const random = seededRandom(seed);
  // The template of the starts may have no connections.
  await db.database.close();
  try {
    const { violations, tried } = await runStartFaults({
      template: db.connection,
      program: resolve(root, productProgram()),
      roles: [random() < 0.5 ? "on" : "only"],
      choose: (points) =>
        Object.entries(wanted).flatMap(([kind, count]) =>
          drawPoints(
            points.filter((point) => point.kind === kind),
            count,
            random,
          ),
        ),
      parallel: 2,
      say: () => undefined,
    });
    expect(violations, `seed ${seed}: ${tried.map(({ point }) => nameOf(point)).join(", ")}`).toEqual([]);
    expect(tried.length).toBeGreaterThanOrEqual(6);
  } finally {
    await db.drop();
  }
});
