/** Pure: the relations that an entity declares, each with its inverse. */
import { parseEntityName } from "./entity-name.ts";
import { type Entity, defaultNamespace, normalRef, refOf } from "../../entity.ts";

export interface Relation {
  sourceRef: string;
  type: string;
  targetRef: string;
}

interface RelationRule {
  field: string;
  type: string;
  inverse: string;
  /** Default kind of the target. */
  targetKind: string;
}

const ownedBy: RelationRule = { field: "owner", type: "ownedBy", inverse: "ownerOf", targetKind: "group" };
const partOf = (field: string, targetKind: string): RelationRule => ({
  field,
  type: "partOf",
  inverse: "hasPart",
  targetKind,
});
const dependsOn: RelationRule = {
  field: "dependsOn",
  type: "dependsOn",
  inverse: "dependencyOf",
  targetKind: "component",
};
const dependencyOf: RelationRule = {
  field: "dependencyOf",
  type: "dependencyOf",
  inverse: "dependsOn",
  targetKind: "component",
};

const rulesByKind: Record<string, RelationRule[]> = {
  component: [
    ownedBy,
    partOf("system", "system"),
    partOf("subcomponentOf", "component"),
    dependsOn,
    dependencyOf,
    { field: "providesApis", type: "providesApi", inverse: "apiProvidedBy", targetKind: "api" },
    { field: "consumesApis", type: "consumesApi", inverse: "apiConsumedBy", targetKind: "api" },
  ],
  api: [ownedBy, partOf("system", "system")],
  resource: [ownedBy, partOf("system", "system"), dependsOn, dependencyOf],
  system: [ownedBy, partOf("domain", "domain")],
  domain: [ownedBy, partOf("subdomainOf", "domain")],
  user: [{ field: "memberOf", type: "memberOf", inverse: "hasMember", targetKind: "group" }],
  group: [
    { field: "parent", type: "childOf", inverse: "parentOf", targetKind: "group" },
    { field: "children", type: "parentOf", inverse: "childOf", targetKind: "group" },
    { field: "members", type: "hasMember", inverse: "memberOf", targetKind: "user" },
  ],
};

const rulesOfKind = (kind: string): readonly RelationRule[] => {
  const known = kind.toLowerCase();
  return (Object.hasOwn(rulesByKind, known) ? rulesByKind[known] : undefined) ?? [ownedBy];
};

/** Maximum number of relations of one entity; a malicious file could contain any number. */
export const maxRelations = 5_000;

/** Both directions of every relation in the entity's `spec`. */
export function relationsOf(entity: Entity): Relation[] {
  const sourceRef = refOf(entity);
  const found = new Map<string, Relation>();
  const add = (relation: Relation): void => {
    found.set(`${relation.sourceRef} ${relation.type} ${relation.targetRef}`, relation);
  };
  for (const rule of rulesOfKind(entity.kind)) {
    for (const text of textsOf(fieldOf(entity, rule.field))) {
      const targetRef = targetOf(text, rule, entity);
      if (targetRef === null || found.size >= maxRelations) continue;
      add({ sourceRef, type: rule.type, targetRef });
      add({ sourceRef: targetRef, type: rule.inverse, targetRef: sourceRef });
    }
  }
  return [...found.values()];
}

/** Dependencies are those of the descriptor, which reads `spec.mesh` first. */
const fieldOf = ({ spec }: Entity, field: string): unknown => {
  const mesh: unknown = spec?.["mesh"];
  const inMesh =
    field === "dependsOn" && typeof mesh === "object" && mesh !== null
      ? Reflect.get(mesh, "dependsOn")
      : undefined;
  return inMesh ?? spec?.[field];
};

const textsOf = (value: unknown): string[] =>
  [value].flat().filter((item): item is string => typeof item === "string" && item.trim() !== "");

const targetOf = (text: string, rule: RelationRule, entity: Entity): string | null => {
  const namespace = entity.metadata.namespace ?? defaultNamespace;
  const urn = /^urn:[^:]+:(cmp|dp):(.+)$/i.exec(text.trim());
  if (urn !== null) {
    const kind = urn[1]?.toLowerCase() === "dp" ? "system" : "component";
    return normalRef(urn[2]?.replaceAll(":", ".") ?? "", { kind, namespace });
  }
  return normalRef(siblingName(text.trim(), rule, entity), { kind: rule.targetKind, namespace });
};

/** A component may reference another of its system by the last part of its name. */
const siblingName = (text: string, { targetKind }: RelationRule, entity: Entity): string => {
  if (targetKind !== "component" || /[.:/]/.test(text)) return text;
  const own = parseEntityName(entity.metadata.name);
  return own?.component === undefined ? text : `${own.domain}.${own.system}.${own.major}.${text}`;
};
