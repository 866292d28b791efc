/** Units, components, access and plans of several domains, made from a seed: as rows of the database and as objects. */
import type { Db } from "../../src/platform/db/database.ts";
import { sql } from "../../src/platform/db/sql.ts";

export interface Records {
  units: UnitRecord[];
  components: ComponentRecord[];
  grants: GrantRecord[];
  plans: PlanRecord[];
}

export interface UnitRecord {
  unitKey: string;
  environment: string;
  unitId: string;
  name: string;
  kind: string;
  owner: string;
  domain: string | null;
  version: string;
  description: string;
}

export interface ComponentRecord {
  unitKey: string;
  environment: string;
  componentKey: string;
  name: string;
  status: "DEPLOYED" | "NOT_DEPLOYED" | "CORRUPT";
  consumable: boolean;
  platform: string;
  position: number;
}

export interface GrantRecord {
  unitKey: string;
  environment: string;
  componentKey: string;
  identity: string;
}

export interface PlanRecord {
  id: string;
  unitKey: string | null;
  environment: string;
  action: string;
  status: "COMPLETED" | "FAILED" | "TERMINATED";
}

export const domains = ["finance", "fleet", "sales", "people"] as const;
const environments = ["development", "production"];

/** The same numbers for the same seed, between 0 and 1. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export const pick = <T>(random: () => number, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)]!;

export function makeRecords(units: number, seed: number): Records {
  const random = randomOf(seed);
  const records: Records = { units: [], components: [], grants: [], plans: [] };
  for (let n = 0; n < units; n += 1) {
    const domain = random() < 0.05 ? null : pick(random, domains);
    for (const environment of environments) {
      if (random() < 0.3) continue;
      const unitId = `urn:dmb:dp:${domain ?? "none"}:unit-${n}:0`;
      const at = { unitKey: unitId, environment };
      records.units.push({
        ...at,
        unitId,
        name: `Unit ${n % 17}`,
        kind: pick(random, ["dataproduct", "project"]),
        owner: `user:default/${pick(random, ["ada", "grace", "joan"])}`,
        domain,
        version: `${n % 3}.0.0`,
        description: `What unit ${n} is for.`,
      });
      for (let c = 0; c < Math.floor(random() * 6); c += 1) {
        const componentKey = `${unitId}:part-${c}`;
        const status = pick(random, ["DEPLOYED", "DEPLOYED", "DEPLOYED", "NOT_DEPLOYED", "CORRUPT"] as const);
        const consumable = random() < 0.6;
        const platform = pick(random, ["postgres", "kafka", "s3"]);
        records.components.push({
          ...at,
          componentKey,
          name: `Part ${c}`,
          status,
          consumable,
          platform,
          position: c,
        });
        const readers = ["user:ben", "group:readers"].filter(() => consumable && random() < 0.4);
        records.grants.push(...readers.map((identity) => ({ ...at, componentKey, identity })));
      }
      for (let p = 0; p < Math.floor(random() * 3); p += 1)
        records.plans.push({
          id: `plan-${environment}-${n}-${p}`,
          ...at,
          action: pick(random, ["PROVISION", "UNPROVISION"]),
          status: pick(random, ["COMPLETED", "FAILED", "TERMINATED"] as const),
        });
    }
  }
  return records;
}

export async function insertRecords(db: Db, { units, components, grants, plans }: Records): Promise<void> {
  await sql`insert into units (unit_key, environment, unit_id, descriptor, descriptor_version)
    select "unitKey", environment, "unitId", json_build_object('name', name, 'kind', kind, 'domain', domain,
      'dataProductOwner', owner, 'description', description), version
    from json_to_recordset(${JSON.stringify(units)}::json) as r ("unitKey" text, environment text, "unitId" text, name text,
      kind text, domain text, owner text, description text, version text)`.execute(db);
  await sql`insert into unit_components (unit_key, environment, component_key, component_id, name, status, consumable,
      position, descriptor, hash, info, plan_id)
    select "unitKey", environment, "componentKey", "componentKey", name, status, consumable, position,
      json_build_object('platform', platform), 'h', ${JSON.stringify(secretInfo)}::json, 'p'
    from json_to_recordset(${JSON.stringify(components)}::json) as r ("unitKey" text, environment text,
      "componentKey" text, name text, status text, consumable boolean, position int, platform text)`.execute(
    db,
  );
  await sql`insert into acls (unit_key, environment, component_key, component_id, identity, request_id)
    select "unitKey", environment, "componentKey", "componentKey", identity, 'r'
    from json_to_recordset(${JSON.stringify(grants)}::json) as r ("unitKey" text, environment text,
      "componentKey" text, identity text)`.execute(db);
  await sql`insert into execution_plans (id, kind, unit_key, unit_id, environment, action, status, originator, request,
      traceparent, deadline_at, failure)
    select id, 'PROVISIONING', "unitKey", "unitKey", environment, action, status, 'user:default/ada',
      ${JSON.stringify({ secret: canary })}::json, 't', now(), ${canary}
    from json_to_recordset(${JSON.stringify(plans)}::json) as r (id text, "unitKey" text, environment text, action text,
      status text)`.execute(db);
  // As the database does by itself a minute later; until then it takes each of these tables for nearly empty.
  await sql`analyze units, unit_components, acls, execution_plans`.execute(db);
}

/** Must be in no answer. */
export const canary = "canary-of-the-data-layer";

const secretInfo = { publicInfo: { address: { value: "here" } }, privateInfo: { password: canary } };
