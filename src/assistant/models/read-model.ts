/** The configuration of a model with its secrets, for requests to it. Never log it or return it to a client. */
import type { Database } from "../../platform/db/database.ts";
import type { SecretBox } from "../../platform/lib/secrets/secret-box.ts";
import { openSecret } from "../masked-values.ts";
import { type CustomHeader, type Header, type ModelKind, type Provider, providerOf } from "./providers.ts";
import { readModelRow, type ModelRow } from "./store.ts";

export interface ModelConfig {
  provider: Provider;
  /** Empty for the provider's default. */
  endpoint: string;
  apiKey: string;
  deployment: string;
  apiVersion: string;
  model: string;
  customHeaders: Header[];
}

interface Deps {
  database: Database;
  secrets: SecretBox;
}

/** Null when none is configured. */
export async function readModel({ database, secrets }: Deps, kind: ModelKind): Promise<ModelConfig | null> {
  const row = await readModelRow(database.db, kind);
  return row ? openModel(secrets, kind, row) : null;
}

/** The same with its version, which changes with each save. */
export async function readModelVersion(
  { database, secrets }: Deps,
  kind: ModelKind,
): Promise<{ config: ModelConfig; version: string } | null> {
  const row = await readModelRow(database.db, kind);
  const config = row === null ? null : openModel(secrets, kind, row);
  return row === null || config === null ? null : { config, version: row.version };
}

export function openModel(secrets: Deps["secrets"], kind: ModelKind, row: ModelRow): ModelConfig | null {
  const provider = providerOf(row.provider);
  if (provider === null) return null;
  const { endpoint, deployment, apiVersion, model } = row;
  const apiKey = openKey(secrets, kind, row);
  const customHeaders = openHeader(secrets, kind, row).headers;
  return { provider, endpoint, apiKey, deployment, apiVersion, model, customHeaders };
}

export const openKey = (secrets: Deps["secrets"], kind: ModelKind, { sealedApiKey }: ModelRow): string =>
  sealedApiKey === null ? "" : openSecret(secrets, { sealed: sealedApiKey, about: aboutKey(kind), what });

export function openHeader(secrets: Deps["secrets"], kind: ModelKind, row: ModelRow): CustomHeader {
  const { sealedCustomHeader: sealed } = row;
  if (sealed === null) return { form: "lines", headers: [] };
  return JSON.parse(openSecret(secrets, { sealed, about: aboutHeader(kind), what })) as CustomHeader;
}

const what = "the model";

export const aboutKey = (kind: ModelKind): string => `assistant model ${kind} key`;
export const aboutHeader = (kind: ModelKind): string => `assistant model ${kind} header`;
