/** Seals and opens addresses and payloads of external agents; the row also has them masked, as every reader may see them. */
import type { SecretBox } from "../../../platform/lib/secrets/secret-box.ts";
import { openSecret } from "../../masked-values.ts";
import { maskAll, type AgentSecrets } from "./agent-secrets.ts";
import { type ExternalAgentRow, lockUnsealedAgents, sealRow } from "./store.ts";
import { inTransaction, type Database } from "../../../platform/db/database.ts";
import type { Logger } from "../../../platform/lib/logger.ts";

/** An external agent with its secrets: never log it, and only show it to users who may edit it. */
export type OpenedAgent = Omit<ExternalAgentRow, "sealed">;

export const aboutAgent = (id: string): string => `external agent ${id}`;

export function sealAgent<T extends AgentSecrets & { id: string }>(
  box: Pick<SecretBox, "seal">,
  agent: T,
): T & { sealed: Buffer } {
  const { id, endpoint, payload } = agent;
  const sealed = box.seal(Buffer.from(JSON.stringify({ endpoint, payload })), aboutAgent(id));
  return { ...agent, ...maskAll(agent), sealed };
}

/** A row that an older release has written is unsealed until the next start. */
export function openAgent<T extends AgentSecrets & { id: string; name: string; sealed: Buffer | null }>(
  box: Pick<SecretBox, "open">,
  row: T,
): Omit<T, "sealed"> {
  const { sealed, ...shown } = row;
  if (sealed === null) return shown;
  const text = openSecret(box, { sealed, about: aboutAgent(row.id), what: `the agent ${row.name}` });
  return { ...shown, ...(JSON.parse(text) as AgentSecrets) };
}

const atATime = 100;

/**
 * Seals what programs of before migration 0017 have stored in clear. Runs at each start; after the first one it finds
 * nothing and costs one query.
 */
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
