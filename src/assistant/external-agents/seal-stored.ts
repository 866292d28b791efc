/** Seals what programs of before 0017 have stored in clear. Costs a look at each start and finds nothing after the first. */
import { inTransaction, type Database } from "../../platform/db/database.ts";
import type { Logger } from "../../platform/lib/logger.ts";
import type { SecretBox } from "../../platform/lib/secret-box.ts";
import { sealAgent } from "./sealed-agent.ts";
import { lockUnsealedAgents, sealRow } from "./store.ts";

const atATime = 100;

export async function sealStoredAgents({
  database,
  secrets,
  log,
}: {
  database: Database;
  secrets: SecretBox;
  log: Logger;
}): Promise<void> {
  let sealed = 0;
  let found = atATime;
  while (found === atATime) {
    found = await inTransaction(database, async (tx) => {
      const rows = await lockUnsealedAgents(tx, atATime);
      for (const row of rows) await sealRow(tx, sealAgent(secrets, row));
      return rows.length;
    });
    sealed += found;
  }
  if (sealed > 0) log.info({ agents: sealed }, "addresses and payloads of external agents were sealed");
}
