/** Rows of the catalogue in their wire shape. Pure, apart from types of rows. */
import type { DeploymentResponse, TechAdapterResponse } from "./schema.ts";
import type { AdapterRow, DeploymentRow } from "./store.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

export const adapterView = (row: AdapterRow): TechAdapterResponse => ({
  id: row.id,
  version: row.version,
  name: row.name,
  ...(row.description === null ? {} : { description: row.description }),
  labels: row.labels,
  deployments: { environments: row.environments },
});

export const deploymentView = (row: DeploymentRow): DeploymentResponse => ({
  environment: row.environment,
  enabled: row.enabled,
  url: row.url,
  properties: propertiesView(row.properties ?? {}),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

type Properties = Record<string, unknown>;

/** Policies are stored with their whole specification and shown with resource type and id only. */
function propertiesView(properties: Properties): Properties {
  const guardian = properties["dataContractGuardian"];
  const policies = isRecord(guardian) ? guardian["policies"] : undefined;
  if (!isRecord(guardian) || !Array.isArray(policies)) return properties;
  return { ...properties, dataContractGuardian: { ...guardian, policies: policies.map(policyView) } };
}

function policyView(policy: unknown): unknown {
  if (!isRecord(policy)) return policy;
  const { spec, ...shown } = policy;
  const id = shown["id"] ?? (isRecord(spec) ? spec["id"] : undefined);
  return id === undefined ? shown : { ...shown, id };
}
