/** Pure. Rows of policies as the wire and as engines see them. */
import type { EngineSpec } from "../engines/engine.ts";
import {
  contentOf,
  type EngineName,
  type PolicyContent,
  type PolicyVersions,
  type PolicyView,
} from "./schema.ts";
import type { PolicyRow, VersionRow } from "./policy.ts";

export const engineSpecOf = ({ engine, spec }: PolicyContent): EngineSpec =>
  ({ ...spec, engine }) as EngineSpec;

/** How older clients name the way to an engine. */
const interactionTypes: Record<EngineName, string> = {
  cel: "NATIVE",
  "json-schema": "NATIVE",
  cue: "NATIVE",
  remote: "EXTERNAL",
  model: "AGENT",
};

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

export function policyViewOf(row: PolicyRow): PolicyView {
  const { content } = row;
  const prompt = content.engine === "model" ? textOf(content.spec["prompt"]) : null;
  return {
    id: row.id,
    version: row.version,
    status: row.status,
    ...(row.graceUntil && { graceUntil: row.graceUntil.toISOString() }),
    // Versions that an earlier release has stored may hold more.
    ...contentOf(content),
    environment: content.environments[0] ?? null,
    interactionType: interactionTypes[content.engine],
    externalUrl: content.engine === "remote" ? textOf(content.spec["url"]) : null,
    ...(content.engine === "cue" && { cueScript: textOf(content.spec["script"]) ?? "" }),
    governanceAgentSpec: prompt === null ? null : { prompt },
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdBy,
    updatedAt: row.updatedAt.toISOString(),
    updatedBy: row.updatedBy,
  };
}

export const versionsViewOf = (rows: readonly VersionRow[]): PolicyVersions => ({
  data: rows.map(({ version, createdAt, createdBy, content }) => ({
    version,
    createdAt: createdAt.toISOString(),
    createdBy,
    policy: contentOf(content),
  })),
});
