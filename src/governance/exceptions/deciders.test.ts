import { expect, it } from "vitest";
import type { Actor } from "../../platform/lib/actor.ts";
import { silentLogger } from "../../platform/lib/logger.ts";
import { systemContext } from "../../platform/lib/request-context.ts";
import type { GovernanceContext, GovernanceDeps } from "../context.ts";
import { decidersOf } from "./deciders.ts";

/** Owners by environment and id. */
const owners: Record<string, string[][]> = {
  "development/ships": [["group:default/fleet"]],
  "production/ships": [["group:default/fleet"]],
  "development/moved": [["group:default/fleet"]],
  "production/moved": [["group:default/harbour"]],
  "development/docks": [["group:default/harbour"]],
  "development/mine": [["user:default/ada"]],
  "development/nobodys": [[]],
  "development/shared": [["group:default/fleet"], ["group:default/harbour"]],
};
const groups: Record<string, string[]> = { "user:default/ada": ["group:default/fleet"] };

interface Case {
  resourceIds?: string[];
  select?: string;
  environments?: string[];
  actor?: Partial<Actor>;
  unownedIsMine?: boolean;
}

const ask = ({ resourceIds = [], select, environments = [], actor, unownedIsMine = false }: Case) => {
  const governance: Partial<GovernanceDeps> = {
    settings: {
      environments: ["development", "production"],
      pendingReports: 1,
      unownedIsMine,
      ownership: { configured: [], defaults: [] },
    },
    readOwners: async ({ id, environment }) => owners[`${environment}/${id}`] ?? [],
    readGroups: async (ref) => groups[ref] ?? [],
  };
  const ctx = {
    ...systemContext(silentLogger, () => new Date()),
    actor: { ref: "user:default/Ada", roles: ["developer"], provider: "oidc", ...actor } satisfies Actor,
    governance: governance as GovernanceDeps,
  } satisfies GovernanceContext;
  return decidersOf(ctx, { resourceIds, select: select ?? null, environments });
};

it.each<[string, Case, boolean]>([
  ["what a group of theirs owns", { resourceIds: ["ships"] }, true],
  ["what they own themselves", { resourceIds: ["mine"] }, true],
  ["what others own", { resourceIds: ["docks"] }, false],
  ["their own and what others own", { resourceIds: ["ships", "docks"] }, false],
  ["what others own in one of the environments", { resourceIds: ["moved"] }, false],
  [
    "that, where only the other environment counts",
    { resourceIds: ["moved"], environments: ["development"] },
    true,
  ],
  ["what a unit of theirs and one of others both deploy", { resourceIds: ["shared"] }, false],
  ["what nobody is known to own", { resourceIds: ["nobodys"] }, false],
  ["what is deployed nowhere", { resourceIds: ["unknown"] }, false],
  ["that, in development mode", { resourceIds: ["unknown", "nobodys"], unownedIsMine: true }, true],
  ["what an expression selects", { select: "true", unownedIsMine: true }, false],
  ["more than is looked up", { resourceIds: Array.from({ length: 51 }, () => "ships") }, false],
  ["what others own, as an operator", { resourceIds: ["docks"], actor: { roles: ["operator"] } }, true],
  [
    "what groups own, as a service of that name",
    { resourceIds: ["ships"], actor: { ref: "service:default/ada" } },
    false,
  ],
])("a developer decides about %s: %#", async (_what, asked, mayDecide) => {
  expect((await ask(asked)).mayDecide).toBe(mayDecide);
});

it("names who may", async () => {
  const { names } = await ask({ resourceIds: ["ships", "moved"] });
  expect(names).toEqual(["group:default/fleet", "group:default/harbour", "operators"]);
});
