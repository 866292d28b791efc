/**
 * An installation whose data layer tracks its databases already: what is tracked is exported and reset before these change. The
 * run that did so is killed, the next one fails at a migration and restores it, and the last one completes.
 */
import assert from "node:assert/strict";
import { databaseVariables } from "../../test/crash/processes.ts";
import { trackedBefore } from "../../test/upgrade/old-database.ts";
import { withTrackedDatabase } from "../../test/upgrade/tracked-database.ts";
import type { Ran } from "./main.ts";

interface Teller {
  plinth: (variables: Record<string, string>, args: string[], killAt?: string) => Promise<Ran>;
  say: (line: string) => void;
}

type Connection = Parameters<typeof withTrackedDatabase>[0];

export const upgradeTracked = (server: Connection, { plinth, say }: Teller): Promise<void> =>
  withTrackedDatabase(server, async ({ connection, tracked, ...database }) => {
    const args = ["upgrade", "apply", "--backup-confirmed", "--metadata", "tracked.json", "--execute"];
    const apply = (killAt?: string): Promise<Ran> => plinth(databaseVariables(connection), args, killAt);
    await database.breakMigration();
    await database.whileMigrationsWait(async () => assert.equal((await apply("data-layer: done")).code, null));
    assert.deepEqual(await tracked(), []);
    const failed = await apply();
    assert.equal(failed.code, 1, failed.err);
    assert.deepEqual(await tracked(), trackedBefore);
    say("metadata: exported and reset by a run that was killed, restored by the next one, which failed");
    await database.mendMigration();
    assert.equal((await apply("data-layer: ")).code, null);
    const completed = await apply();
    assert.equal(completed.code, 0, completed.err);
    assert.deepEqual(await tracked(), []);
    say("metadata: reset by the run that completed");
  });
