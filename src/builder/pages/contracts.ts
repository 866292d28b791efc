/** Pure. The data contracts of a deployed unit: those of its output ports that are deployed. */
import { isRecord } from "../../platform/lib/is-record.ts";
import { withoutSecrets } from "../../platform/lib/secrets/secret-names.ts";
import type { DataContract } from "./schema.ts";

export interface DeployedUnit {
  unitId: string;
  descriptor: Record<string, unknown>;
  /** Ids of its deployed components, subcomponents too. */
  deployedIds: string[];
}

/** Components in components are looked at as deep as this. */
const maxDepth = 8;

export function contractsOf(
  { unitId, descriptor, deployedIds }: DeployedUnit,
  environment: string,
): DataContract[] {
  const deployed = new Set(deployedIds.map((id) => id.toLowerCase()));
  const dataProduct = {
    id: unitId,
    name: textOf(descriptor["name"]),
    domain: textOf(descriptor["domain"]),
    owner: textOf(descriptor["dataProductOwner"] ?? descriptor["projectOwner"]),
  };
  return portsIn(descriptor, unitId, 0).flatMap(({ id, port }) =>
    deployed.has(id.toLowerCase()) && isRecord(port["dataContract"])
      ? [
          {
            dataProduct,
            outputPort: { id, name: textOf(port["name"]), version: textOf(port["version"]) },
            environment,
            contract: withoutSecrets(port["dataContract"]),
          },
        ]
      : [],
  );
}

interface Port {
  id: string;
  port: Record<string, unknown>;
}

/** Subcomponents without an id of their own have their parent's with their name. */
function portsIn(holder: Record<string, unknown>, holderId: string, depth: number): Port[] {
  const components = holder["components"];
  if (!Array.isArray(components) || depth > maxDepth) return [];
  return components.filter(isRecord).flatMap((component): Port[] => {
    const id = textOf(component["id"]) ?? `${holderId}:${String(textOf(component["name"]))}`;
    const isPort = textOf(component["kind"])?.toLowerCase() === "outputport";
    return [...(isPort ? [{ id, port: component }] : []), ...portsIn(component, id, depth + 1)];
  });
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
