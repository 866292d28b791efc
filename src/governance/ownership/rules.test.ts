import { describe, expect, it } from "vitest";
import type { Actor } from "../../platform/lib/actor.ts";
import { silentLogger } from "../../platform/lib/logger.ts";
import { systemContext, type RequestContext } from "../../platform/lib/request-context.ts";
import { createOwnership, type OwnershipQuestion } from "./decide.ts";
import { defaultRules, type OwnershipRule } from "./rules.ts";

const groups: Record<string, string[]> = { "user:default/ada": ["group:default/fleet"] };
const as = (actor: Partial<Actor>): RequestContext => ({
  ...systemContext(silentLogger, () => new Date()),
  actor: { ref: "user:default/ada", roles: ["developer"], provider: "oidc", ...actor },
});
interface Asked {
  actor?: Partial<Actor>;
  rules?: OwnershipRule[];
  unownedIsMine?: boolean;
}
const fleet = ["group:default/fleet"];
const harbour = ["group:default/harbour"];
const ask = (
  question: Partial<OwnershipQuestion>,
  { actor = {}, rules = defaultRules(["production"]), unownedIsMine = false }: Asked = {},
) =>
  createOwnership({
    readRules: async () => rules,
    unownedIsMine,
    groupsOf: async (ref) => groups[ref] ?? [],
  })(as(actor), {
    operations: ["start"],
    environment: "development",
    domain: "sea",
    owners: fleet,
    ...question,
  });

describe("by default", () => {
  it.each([
    ["starts what a group of theirs owns", {}, "allow"],
    ["undeploys it", { operations: ["undeploy"], environment: "production" }, "allow"],
    ["asks before it is deployed in production", { environment: "production" }, "approval"],
    ["asks before data is removed", { operations: ["undeploy", "removeData"] }, "approval"],
    [
      "asks before a resumption in production",
      { operations: ["resume"], environment: "production" },
      "approval",
    ],
    ["does not touch what others own", { owners: harbour }, "deny"],
    ["does not undeploy what others own", { owners: harbour, operations: ["undeploy"] }, "deny"],
    ["does not touch what nobody is known to own", { owners: [] }, "deny"],
  ] satisfies [string, Partial<OwnershipQuestion>, string][])(
    "a developer %s",
    async (_, question, verdict) => {
      expect((await ask(question)).verdict).toBe(verdict);
    },
  );

  it("says who may", async () => {
    expect(await ask({ owners: harbour })).toEqual({
      verdict: "deny",
      rule: "others' units",
      whoMay: ["group:default/harbour", "operators"],
    });
  });

  it("asks the owners, and not the requester", async () => {
    expect(await ask({ environment: "production" })).toEqual({
      verdict: "approval",
      rule: "deployments in production",
      approvers: fleet,
    });
  });

  it.each([
    ["operators", { roles: ["operator"] }],
    ["services", { ref: "service:default/plane", roles: ["service"] }],
    ["guests", { provider: "guest", roles: ["developer"] }],
  ] satisfies [string, Partial<Actor>][])("%s touch everything", async (_, actor) => {
    const question = { owners: harbour, operations: ["removeData"], environment: "production" } as const;
    expect(await ask(question, { actor })).toMatchObject({ verdict: "allow" });
  });

  it("in development mode what nobody is known to own is everybody's", async () => {
    expect(await ask({ owners: [], environment: "production" }, { unownedIsMine: true })).toMatchObject({
      verdict: "allow",
    });
  });
});

it("the first rule that matches decides", async () => {
  const rule = { operations: [], environments: [], domains: [], groups: [] } as const;
  const rules: OwnershipRule[] = [
    { ...rule, name: "no air", domains: ["air"], owners: "any", effect: "deny" },
    { ...rule, name: "harbour too", owners: harbour, effect: "allow" },
    { ...rule, name: "board", owners: "any", effect: "approval", groups: ["group:default/Board"] },
  ];
  expect(await ask({ domain: "air" }, { rules })).toMatchObject({ verdict: "deny", rule: "no air" });
  expect(await ask({ owners: harbour }, { rules })).toMatchObject({ verdict: "allow" });
  expect(await ask({}, { rules })).toMatchObject({ approvers: ["group:default/board"] });
  expect(await ask({}, { rules: [] })).toMatchObject({ verdict: "deny" });
});

describe("several rules that ask", () => {
  const rule = { environments: [], domains: [], owners: "any", effect: "approval" } as const;
  const board = { ...rule, name: "board", operations: ["start"] as const, groups: ["group:default/Board"] };
  const keeper = {
    ...rule,
    name: "data",
    operations: ["removeData"] as const,
    groups: ["group:default/keeper"],
  };
  const owning = { ...rule, name: "owners", operations: ["undeploy"] as const, groups: [] };
  const operations = ["start", "undeploy", "removeData"] as const;

  it("of different people ask all of them", async () => {
    expect(await ask({ operations }, { rules: [keeper, board, owning] })).toEqual({
      verdict: "approval",
      rule: "board",
      approvers: ["group:default/board"],
      further: [
        { rule: "owners", approvers: fleet },
        { rule: "data", approvers: ["group:default/keeper"] },
      ],
    });
  });

  it("of the same people ask them once", async () => {
    const again = { ...keeper, groups: ["group:default/BOARD"] };
    expect(await ask({ operations: ["start", "removeData"] }, { rules: [again, board] })).toEqual({
      verdict: "approval",
      rule: "board; data",
      approvers: ["group:default/board"],
    });
  });

  it("are left out alone where what is everybody's has no owner who could be asked", async () => {
    const rules = [owning, keeper];
    const question = { operations: ["undeploy", "removeData"] as const, owners: [] };
    expect(await ask(question, { rules, unownedIsMine: true })).toEqual({
      verdict: "approval",
      rule: "data",
      approvers: ["group:default/keeper"],
    });
    expect(await ask(question, { rules: [owning, { ...keeper, groups: [] }], unownedIsMine: true })).toEqual({
      verdict: "allow",
      rule: "owners",
    });
  });
});

it("owners whom a rule refuses are not among those who may", async () => {
  const rules: OwnershipRule[] = [
    {
      name: "frozen",
      operations: [],
      environments: [],
      domains: [],
      groups: [],
      owners: "any",
      effect: "deny",
    },
  ];
  expect(await ask({ owners: harbour }, { rules })).toEqual({
    verdict: "deny",
    rule: "frozen",
    whoMay: ["operators"],
  });
});
