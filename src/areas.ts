/** Which areas there are, and what each of them has from the others. */
import about from "../package.json" with { type: "json" };
import type { ReplacedParts } from "./assistant/module.ts";
import { createCoordinator } from "./coordinator/module.ts";
import type { OpenGovernance } from "./governance/core.ts";
import { openOwnership } from "./governance/ownership/ownership.ts";
import type { AskAgent } from "./governance/ports.ts";
import { openAuditChain, type AuditChain } from "./platform/audit/seal.ts";
import { sharedRead } from "./platform/db/shared-read.ts";
import { createDoctor } from "./platform/doctor/doctor.ts";
import { readSamples, type ReadSealed } from "./platform/runtime/keys/claim-keys.ts";
import type { SealedPlace } from "./platform/runtime/keys/sealed-place.ts";
import type { Platform, PlatformBase } from "./platform/runtime/platform.ts";
import type { UpkeepParts } from "./platform/runtime/upkeep.ts";

export const areaNames = ["builder", "assistant", "coordinator", "governance", "data-layer"] as const;
export type AreaName = (typeof areaNames)[number];

export interface ProcessRole {
  /** Interfaces that this process serves. */
  areas: readonly AreaName[];
  /** Background work: `on` beside the interfaces, `off`, or `only` (no interfaces). */
  workers: "on" | "off" | "only";
}

export interface AreasOptions {
  role: ProcessRole;
  /** Null for a process that does not listen. */
  listensAt: string | null;
  /** Whether threads that render templates are started with their first job. */
  startLate: boolean;
  replaced: ReplacedParts;
  governance: OpenGovernance;
}

/** The areas, each with what it needs from the others. They are loaded here, so that plans resume before that. */
export async function createAreas(
  platform: Platform,
  { role, listensAt, startLate, replaced, governance: openedGovernance }: AreasOptions,
) {
  const audits = auditsOf(platform, openedGovernance);
  /** Where the areas are reached; nowhere at a process of workers only. */
  const url = role.workers === "only" ? null : listensAt;
  const { createBuilder } = await import("./builder/module.ts");
  const { createAssistant } = await import("./assistant/module.ts");
  const { createGovernance } = await import("./governance/module.ts");
  const { openInProcessClient } = await import("./platform/runtime/in-process-client.ts");
  const coordinator = createCoordinator(platform, {
    ...coordinatorPorts(platform, openedGovernance),
    guardians: openedGovernance.guardians,
    audits,
    openApproval: (ctx, tx, wanted) => builder.openApproval(ctx, tx, wanted),
    closeApproval: (ctx, tx, actionId, reason) => builder.closeApproval(ctx, tx, actionId, reason),
    people: peopleIn(platform),
    notices: () => [builder.notices, assistant.notices, governance.notices],
    waiting: [
      { kind: "HOOK", rule: "listHooks", list: (ctx, page) => builder.listWaiting(ctx, page) },
      { kind: "APPROVAL", rule: "useAssistant", list: (ctx, page) => assistant.listWaiting(ctx, page) },
      { kind: "EXCEPTION", rule: "listExceptions", list: (ctx, page) => governance.listWaiting(ctx, page) },
    ],
    // The modules are made below; a search comes when they are there.
    search: () => [...builder.search, governance.search, ...assistant.search],
    ...upkeepPorts(platform, () => ({ modules: Object.values(modules), audits })),
  });
  const governance = createGovernance(platform, {
    core: await openedGovernance.core(),
    deployedUnits: coordinator.deployedUnits,
    readApprovals: coordinator.readApprovals,
    readOwners: coordinator.readOwners,
    readGroups: groupsIn(platform),
    readOwnership: coordinator.readOwnership,
    decideOwnership: ownershipOf(platform, openedGovernance),
  });
  const builder = await createBuilder(
    platform,
    {
      techAdapters: { register: coordinator.registerAdapter },
      access: coordinator.access,
      reverseProvisioning: coordinator.reverseProvisioning,
      decideApproval: coordinator.decideApproval,
      readPlanDiff: coordinator.readPlanDiff,
      deployedUnits: coordinator.deployedUnits,
    },
    { startLate, url },
  );
  const assistant = await createAssistant(
    platform,
    {
      callPlatform: openInProcessClient(platform, () =>
        Promise.all([builder.area(), coordinator.area(), governance.area(), assistant.searchArea()]),
      ),
      decideAction: async (ctx, action) => (await openedGovernance.core()).decideAction(ctx, action),
      feeds: { entities: builder.entities, descriptors: coordinator.descriptors },
    },
    {
      ...replaced,
      needsTools: role.workers !== "off" || role.areas.includes("assistant"),
      url,
    },
  );
  const { createAuth } = await import("./auth/module.ts");
  const auth = createAuth(platform, { readGroups: groupsIn(platform), version: about.version, url });
  const { createDataLayer } = await import("./data-layer/module.ts");
  const own = platform.database.connection;
  const dataLayer = createDataLayer(platform, {
    connections: { coordinator: own, governance: openedGovernance.database.connection },
    isAlone: role.areas.length === 1 && role.workers === "off",
  });
  const modules = { governance, coordinator, builder, assistant, "data-layer": dataLayer, auth };
  return modules;
}

/** The coordinator's operations about the whole installation. `parts` is read when one is called, after all areas have been created. */
const upkeepPorts = (platform: Platform, parts: () => UpkeepParts) => ({
  retentionRules: async () => {
    const { allRetentionRules } = await import("./platform/runtime/upkeep.ts");
    return allRetentionRules(platform, parts());
  },
  doctor: createDoctor({
    checks: async () => {
      const { allChecks } = await import("./platform/doctor/platform-checks.ts");
      return allChecks(platform, { ...parts(), places: sealedPlaces });
    },
    log: platform.log,
    now: platform.now,
    version: about.version,
  }),
});

/** Who did what: in the database of the platform, and of governance in its own. */
export const auditsOf = (
  { database, secrets }: Pick<PlatformBase, "database" | "secrets">,
  governance: Pick<OpenGovernance, "database">,
): AuditChain[] => [
  openAuditChain("platform", { database, secrets }),
  openAuditChain("governance", { database: governance.database, secrets }),
];

/** The agents of the assistant; loaded when the first policy asks one. */
export const agentsOf = (base: PlatformBase): AskAgent => ({
  problemOf: async (agentId) => (await import("./assistant/module.ts")).agentProblem(base, agentId),
  ask: async (question) => (await import("./assistant/module.ts")).askAgentOnce(base, question),
});

const ownershipOf = ({ config, database }: PlatformBase, { readOwnershipRules: readRules }: OpenGovernance) =>
  openOwnership(config, { groupsOf: groupsIn({ database }), readRules });

export const coordinatorPorts = (base: PlatformBase, governance: OpenGovernance) => ({
  policies: governance.policies,
  ownership: ownershipOf(base, governance),
  readComponentTypes: sharedRead(async () => {
    const { readComponentTypes } = await import("./builder/module.ts");
    return readComponentTypes(base.database.db);
  }),
});

/** The groups of people, as the catalogue knows them. */
const groupsIn =
  ({ database }: Pick<PlatformBase, "database">) =>
  async (ref: string): Promise<string[]> => {
    const { groupsOf } = await import("./builder/module.ts");
    return groupsOf(database.db, ref);
  };

/** How they can be reached, and what groups they are in. */
const peopleIn = ({ database }: Pick<PlatformBase, "database">) => ({
  groupsOf: groupsIn({ database }),
  contacts: async (refs: readonly string[]) => {
    const { readContacts } = await import("./builder/module.ts");
    return readContacts(database.db, refs);
  },
});

/** Everything that is sealed with a key of the installation. */
export async function sealedPlaces(): Promise<SealedPlace[]> {
  const areas = [
    await import("./assistant/module.ts"),
    await import("./builder/module.ts"),
    await import("./auth/module.ts"),
  ];
  return areas.flatMap((area) => area.sealedPlaces);
}

/** A sample of the stored secrets, from each place that has any. */
export const readSealed: ReadSealed = async (db) => readSamples(db, await sealedPlaces());
