/** Rows of the configurations of models. */
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { SealedColumn } from "../../platform/runtime/keys/sealed-place.ts";
import type { ModelKind } from "./providers.ts";
import type { ProbeResult } from "./schema.ts";

export interface ModelRow {
  /** As given, aliases included. */
  provider: string;
  endpoint: string;
  sealedApiKey: Buffer | null;
  deployment: string;
  apiVersion: string;
  model: string;
  sealedCustomHeader: Buffer | null;
  probe: ProbeResult | null;
  /** Changes with each save. */
  version: string;
}

const columns = sql`provider, endpoint, sealed_api_key as "sealedApiKey", deployment, api_version as "apiVersion",
  model, sealed_custom_header as "sealedCustomHeader", probe, version`;

export async function readModelRow(db: Db, kind: string): Promise<ModelRow | null> {
  const { rows } = await sql<ModelRow>`select ${columns} from assistant_models where kind = ${kind}`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** The same, with a lock: the next save waits for the end of the transaction. */
export async function lockModelRow(db: Db, kind: string): Promise<ModelRow | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`assistant model ${kind}`}, 0))`.execute(db);
  return readModelRow(db, kind);
}

/** A key, or headers, of the models. */
export const sealedModels = (column: "sealed_api_key" | "sealed_custom_header"): SealedColumn => ({
  name: `assistant_models.${column}`,
  atOnce: 100,
  async read(db, { head, after, limit }) {
    const { rows } = await sql<{
      id: ModelKind;
      sealed: Buffer;
    }>`select kind as id, ${sql.ref(column)} as sealed
      from assistant_models where ${sql.ref(column)} is not null
        and substring(${sql.ref(column)} from 1 for ${head.length}) <> ${head}
        and (${after}::text is null or kind > ${after}) order by kind limit ${limit}`.execute(db);
    return rows;
  },
  async count(db, head) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from assistant_models
      where ${sql.ref(column)} is not null
        and substring(${sql.ref(column)} from 1 for ${head.length}) <> ${head}`.execute(db);
    return rows[0]?.count ?? 0;
  },
  async replace(db, { id, before, sealed }) {
    const { rowCount } = await sql`update assistant_models set ${sql.ref(column)} = ${sealed}
      where kind = ${id} and substring(${sql.ref(column)} from 1 for ${before.length}) = ${before}`.execute(
      db,
    );
    return rowCount === 1;
  },
});

export async function upsertModel(
  db: Db,
  row: Omit<ModelRow, "probe"> & { kind: string; by: string; at: Date },
): Promise<void> {
  const { kind, provider, endpoint, sealedApiKey, deployment, apiVersion, model, sealedCustomHeader } = row;
  await sql`insert into assistant_models (kind, provider, endpoint, sealed_api_key, deployment, api_version, model,
      sealed_custom_header, probe, version, updated_by, updated_at)
    values (${kind}, ${provider}, ${endpoint}, ${sealedApiKey}, ${deployment}, ${apiVersion}, ${model},
      ${sealedCustomHeader}, null, ${row.version}, ${row.by}, ${row.at})
    on conflict (kind) do update set provider = excluded.provider, endpoint = excluded.endpoint,
      sealed_api_key = excluded.sealed_api_key, deployment = excluded.deployment,
      api_version = excluded.api_version, model = excluded.model,
      sealed_custom_header = excluded.sealed_custom_header, probe = null, version = excluded.version,
      updated_by = excluded.updated_by, updated_at = excluded.updated_at`.execute(db);
}

/** Does nothing when the configuration has been saved again since. */
export async function writeProbe(
  db: Db,
  at: { kind: string; version: string },
  probe: ProbeResult,
): Promise<void> {
  await sql`update assistant_models set probe = ${JSON.stringify(probe)}::json
    where kind = ${at.kind} and version = ${at.version}`.execute(db);
}

/** How well the vectors of the configured embedder agree with the words; null when that was not measured yet. */
export async function readAgreement(db: Db): Promise<number | null> {
  const { rows } = await sql<{
    agreement: number | null;
  }>`select round(i.agreement::numeric, 2)::float8 as agreement
    from assistant_index i join assistant_models m on m.version = i.agreement_of
    where m.kind = 'embedder' and m.provider <> ''`.execute(db);
  return rows[0]?.agreement ?? null;
}
