/** What a report is about, a page at a time: its resources and the policies that are evaluated over them. */
import { withoutSecrets } from "../../platform/lib/secrets/secret-names.ts";
import type { DeployedUnit, DeployedUnits } from "../ports.ts";
import type { EvaluatedPolicy, Resource } from "../evaluations/policy.ts";
import { idKey, resourcesOfUnit } from "../evaluations/resources.ts";
import { isAbout } from "../evaluations/verdict.ts";
import type { ClaimedReport } from "./store.ts";
import { policyOfTrial, type StoredTrial } from "./trial-policy.ts";

export interface PageDeps {
  deployedUnits: DeployedUnits;
  /** Active policies in force. */
  readActive: () => Promise<readonly EvaluatedPolicy[]>;
  /** A policy in force as it is now; null where it is not, or not any more. */
  readInForce: (policyId: string) => Promise<EvaluatedPolicy | null>;
}

export interface Page {
  resources: Resource[];
  policies: readonly EvaluatedPolicy[];
  /** Whether the results of a resource are stored besides the report. */
  isStored: (resource: Resource) => boolean;
  /** Where the next page begins; null after the last one. */
  next: string | null;
}

/** The request of a report of one resource, as it is stored. */
export interface StoredResource {
  id: string;
  displayName: string;
  resourceType: string;
  descriptor: Record<string, unknown>;
  /** The platform calls, or an operator: its results count for resources that are deployed too. */
  isTrusted: boolean;
}

/** Units of one page; their resources are evaluated in one batch. */
const unitsOfPage = 50;

export async function readPage(
  deps: PageDeps,
  report: ClaimedReport,
  position: string | null,
): Promise<Page> {
  const { kind, environment, request } = report;
  if (kind === "evaluation") return onePage(deps, environment, request as unknown as StoredResource);
  const trial = kind === "trial" ? (request as unknown as StoredTrial) : null;
  const policy = trial ? policyOfTrial(trial.policy) : await deps.readInForce(report.policyId ?? "");
  // The policy was disabled or deleted since: there is nothing to evaluate.
  if (policy === null) return { resources: [], policies: [], isStored: () => false, next: null };
  const { units, next } = await deps.deployedUnits.list({ environment, after: position, limit: unitsOfPage });
  // An expression of any developer could put what it sees into its messages.
  const shown = trial?.isGiven === true ? units.map(unitWithoutSecrets) : units;
  const resources = shown.flatMap((unit) =>
    resourcesOfUnit({ ...unit, environment, componentIds: unit.deployedIds }),
  );
  // A trial is about a policy that is not in force, or not in this form.
  return { resources, policies: [policy], isStored: () => kind === "schedule", next };
}

const unitWithoutSecrets = (unit: DeployedUnit): DeployedUnit => ({
  ...unit,
  descriptor: withoutSecrets(unit.descriptor) as DeployedUnit["descriptor"],
});

/** The resource as it is sent, and its components where it is a unit. */
async function onePage(deps: PageDeps, environment: string, stored: StoredResource): Promise<Page> {
  const { id, displayName, resourceType, descriptor } = stored;
  const found = await deps.deployedUnits.find({ id, environment });
  const known = found !== null && found.deployedIds.length > 0 ? found : null;
  const isPart = known !== null && idKey(known.unitId) !== idKey(id);
  const deployed = known ? resourcesOfUnit({ ...known, environment, componentIds: known.deployedIds }) : [];
  const original = deployed.find((each) => idKey(each.id) === idKey(id))?.descriptor;
  const isUnit = !isPart && Array.isArray(descriptor["components"]);
  const [, ...components] = isUnit
    ? resourcesOfUnit({ descriptor, environment, previous: known?.descriptor })
    : [];
  const resource: Resource = {
    environment,
    id,
    displayName,
    resourceType,
    descriptor,
    ...(original === undefined ? {} : { original }),
    ...(isPart ? { unit: known.descriptor } : isUnit ? { unit: descriptor } : {}),
    unitId: isPart ? known.unitId : isUnit ? id : null,
  };
  const resources = [resource, ...components.map((each) => ({ ...each, unitId: id }))];
  const policies = await deps.readActive();
  const isStored = stored.isTrusted ? () => true : await storedOf(deps, environment, { resources, policies });
  return { resources, policies, isStored, next: null };
}

/** Deployed resources that are looked up for one report; results of more are not stored. */
const maxLookups = 1_000;

/** Results of those callers count that are about nothing that is deployed: each component may be one of somebody's. */
async function storedOf(
  { deployedUnits }: PageDeps,
  environment: string,
  { resources, policies }: Pick<Page, "resources" | "policies">,
): Promise<Page["isStored"]> {
  const about = resources.filter((resource) => policies.some((policy) => isAbout(policy, resource)));
  const stored = new Set<string>();
  for (const id of new Set(about.map((each) => idKey(each.id)).slice(0, maxLookups))) {
    const found = await deployedUnits.find({ id, environment });
    if (found === null || found.deployedIds.length === 0) stored.add(id);
  }
  return ({ id }) => stored.has(idKey(id));
}
