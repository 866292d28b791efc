import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startWholeServer, type Answer, type Call, type WholeServer } from "../support/server.ts";
import { countRows, input, refusal, testRefusals, type Refusal } from "./refusals.ts";
import {
  hullId,
  mastId,
  previewPath,
  provisioning,
  provisioningPath,
  sailId,
  ships,
  start,
  unitId,
  wanted,
} from "./ships.ts";

let server: WholeServer;
const busy = "urn:dmb:dp:sea:busy:0";

beforeAll(async () => {
  // Without workers a plan that is started stays active, and nothing writes behind a test's back.
  server = await startWholeServer({ workers: "off" });
  await server.registerMock();
  await start(server, ships(busy));
});
afterAll(() => server.close());

const post = (path: string, body: unknown, headers: Record<string, string> = {}): Call => ({
  method: "POST",
  path,
  body,
  headers,
});

/** The request with another unit in it. */
const unit = (change: (unit: any) => void): unknown => {
  const changed = structuredClone(ships());
  change(changed);
  return { descriptor: changed, targetStatus: wanted(ships()) };
};
const part = (index: number, change: (part: any) => void): unknown =>
  unit((u) => change(u.components[index]));
/** The request with other targets, or with these beside the usual ones. */
const targets = (targetStatus: unknown): unknown => ({ descriptor: ships(), targetStatus });
const target = (more: object): unknown =>
  targets([{ componentId: hullId, targetStatus: "DEPLOYED", ...more }]);
const alsoTarget = (componentId: string): unknown =>
  targets([...wanted(ships()), { componentId, targetStatus: "DEPLOYED" }]);
const brackets = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;

type Body = [what: string, body: unknown, field: string];

const wrongBodies: Body[] = [
  ["no body", undefined, ""],
  ["an empty body", "", ""],
  ["white space", " \n", ""],
  ["malformed JSON", '{"descriptor": {', ""],
  ["JSON with a comment", "{} // all", ""],
  ["null", "null", ""],
  ["a list", [], ""],
  ["an empty object", {}, "/descriptor"],
  ["a deep body", `{"descriptor":${brackets(500)}}`, ""],
  ["a descriptor that is YAML text", { descriptor: "id: x", targetStatus: [] }, "/descriptor"],
  ["targets that are no list", targets({}), "/targetStatus"],
  ["a target that is no object", targets([hullId]), "/targetStatus/0"],
  ["a target without an id", target({ componentId: undefined }), "/targetStatus/0/componentId"],
  ["a target with an empty id", target({ componentId: "" }), "/targetStatus/0/componentId"],
  ["a target with a long id", target({ componentId: "x".repeat(513) }), "/targetStatus/0/componentId"],
  ["a target without a status", target({ targetStatus: undefined }), "/targetStatus/0/targetStatus"],
  ["a target status in lower case", target({ targetStatus: "deployed" }), "/targetStatus/0/targetStatus"],
  ["an action of its own", target({ action: "PAINT" }), "/targetStatus/0/action"],
  ["too many targets", targets(Array.from({ length: 20_001 }, () => wanted(ships())[0])), "/targetStatus"],
  ["removeData as text", provisioning(ships(), { removeData: "true" }), "/removeData"],
  ["removeData null", provisioning(ships(), { removeData: null }), "/removeData"],
  ["preventRedeploy as a number", provisioning(ships(), { preventRedeploy: 1 }), "/preventRedeploy"],
  ["NUL in the id", unit((u) => (u.id += "\0")), "/descriptor/id"],
  ["NUL deep inside", part(1, (p) => (p.specific = [{ b: "\0" }])), "/descriptor/components/1/specific/0/b"],
  ["NUL in a key", unit((u) => (u["a\0b"] = 1)), "/descriptor"],
  ["NUL in a target", target({ componentId: "\0" }), "/targetStatus/0/componentId"],
  ["half a surrogate pair", unit((u) => (u.name = "\ud83d")), "/descriptor/name"],
  ["the other half", part(2, (p) => (p.dependsOn = ["\ude00"])), "/descriptor/components/2/dependsOn/0"],
  ["a poisoned key", '{"descriptor":{"__proto__":{"a":1}},"targetStatus":[]}', "/descriptor/__proto__"],
];

const wrongUnits: Body[] = [
  ["an empty descriptor", { descriptor: {}, targetStatus: [] }, "/descriptor/id"],
  ["another id than the path's", unit((u) => (u.id = "urn:dmb:dp:sea:boats:0")), "/descriptor/id"],
  ["an id that is a list", unit((u) => (u.id = [])), "/descriptor/id"],
  ["another environment", unit((u) => (u.environment = "production")), "/descriptor/environment"],
  ["no components", unit((u) => delete u.components), "/descriptor/components"],
  ["components that are no list", unit((u) => (u.components = {})), "/descriptor/components"],
  ["a component that is no object", unit((u) => (u.components[1] = "mast")), "/descriptor/components/1"],
  ["a component without an id", part(1, (p) => delete p.id), "/descriptor/components/1/id"],
  ["a control character in an id", part(0, (p) => (p.id = "a\nb")), "/descriptor/components/0/id"],
  ["an id of 513 characters", part(0, (p) => (p.id = "x".repeat(513))), "/descriptor/components/0/id"],
  ["an id of 1200 bytes", part(0, (p) => (p.id = "船".repeat(400))), "/descriptor/components/0/id"],
  [
    "a subcomponent whose id grows too long",
    part(0, (p) => (p.components = [{ name: "n".repeat(600) }])),
    "/descriptor/components/0/components/0/name",
  ],
  [
    "a component twice, case aside",
    part(1, (p) => (p.id = hullId.toUpperCase())),
    "/descriptor/components/1/id",
  ],
  [
    "a dependency on itself",
    part(0, (p) => (p.dependsOn = [hullId])),
    "/descriptor/components/0/dependsOn/0",
  ],
  ["a cycle", part(0, (p) => (p.dependsOn = [sailId])), "/descriptor/components/0/dependsOn/0"],
  [
    "a dependency outside the unit",
    part(0, (p) => (p.dependsOn = ["urn:else"])),
    "/descriptor/components/0/dependsOn/0",
  ],
  [
    "no tech adapter",
    part(0, (p) => delete p.infrastructureTemplateId),
    "/descriptor/components/0/infrastructureTemplateId",
  ],
  [
    "an unknown tech adapter",
    part(0, (p) => (p.infrastructureTemplateId = "urn:dmb:itm:none:1")),
    "/descriptor/components/0/infrastructureTemplateId",
  ],
  [
    "a tech adapter in another case",
    part(0, (p) => (p.infrastructureTemplateId = "URN:dmb:itm:mock:1")),
    "/descriptor/components/0/infrastructureTemplateId",
  ],
  ["a descriptor of 101 levels", unit((u) => (u.deep = JSON.parse(brackets(101)))), "/descriptor"],
  [
    "10,001 components",
    unit((u) => (u.components = Array.from({ length: 10_001 }, (_, i) => ({ id: `c${i}` })))),
    "/descriptor/components",
  ],
  [
    "an endless number for a version",
    JSON.stringify(provisioning()).replace('"version":"1.2.0"', '"version":1e999'),
    "/descriptor/version",
  ],
  ["an unknown target", alsoTarget("urn:else"), "/targetStatus/3/componentId"],
  ["a target twice, case aside", alsoTarget(hullId.toUpperCase()), "/targetStatus/3/componentId"],
  ["no targets", targets([]), "/targetStatus"],
  ["a missing target", targets(wanted(ships()).slice(1)), "/targetStatus"],
];

type PathOf = (id?: string, environment?: string) => string;

/** What preview and start refuse alike. */
const both = (path: PathOf): Refusal[] => {
  const good = provisioning();
  const planning = refusal(400, "COORD_INVALID_DESCRIPTOR");
  const as = (type: string): Record<string, string> => ({ "content-type": type });
  return [
    ...wrongBodies.map(([what, body, field]) => input(what, post(path(), body), field)),
    ...wrongUnits.map(([what, body, field]) => planning(what, post(path(), body), field)),
    input("text/plain", post(path(), good, as("text/plain")), "content-type"),
    input("a form", post(path(), "a=b", as("application/x-www-form-urlencoded")), "content-type"),
    input("a compressed body", post(path(), good, { "content-encoding": "gzip" }), "content-encoding"),
    input("no environment", post(path().split("?")[0] ?? "", good), "environment"),
    input("an empty environment", post(path(unitId, ""), good), "environment"),
    input("a repeated environment", post(`${path()}&environment=production`, good), "environment"),
    input("NUL in the environment", post(path(unitId, "dev%00"), good), "environment"),
    input("an environment that is not UTF-8", post(path(unitId, "%ff"), good), "environment"),
    input("a surrogate in the environment", post(path(unitId, "%ed%a0%80"), good), "environment"),
    input("a long environment", post(path(unitId, "x".repeat(129)), good), "environment"),
    input("NUL in the path", post(path("a%00"), good), "deployment-unit-id"),
    input("a path that is not UTF-8", post(path("a%ff"), good), ""),
    input("a long id in the path", post(path("x".repeat(513)), good), "deployment-unit-id"),
    planning("an unknown environment", post(path(unitId, "moon"), good), "environment"),
    planning("an environment in another case", post(path(unitId, "Development"), good), "environment"),
  ];
};

describe("previewProvisioning refuses", () => {
  const path = `${previewPath()}&autofill-target-status=yes`;
  testRefusals(
    () => server,
    [
      ...both(previewPath),
      input("a flag that is no boolean", post(path, provisioning()), "autofill-target-status"),
    ],
  );
});

describe("startProvisioning refuses", () => {
  const conflict = targets([
    { componentId: hullId, targetStatus: "NOT_DEPLOYED" },
    { componentId: mastId, targetStatus: "DEPLOYED" },
    { componentId: sailId, targetStatus: "DEPLOYED" },
  ]);
  const again = provisioning(ships(busy));
  const good = provisioning();
  const keyed = (key: string): Call => post(provisioningPath(), good, { "idempotency-key": key });
  const pinned = (tag: string): Call => post(provisioningPath(), good, { "if-match": tag });
  const planned = (more: object): Call => post(provisioningPath(), provisioning(ships(), more));
  const upper = provisioningPath(busy.toUpperCase());
  const encoded = provisioningPath(encodeURIComponent(busy));
  const active = (path: string): [Call, number, string, string] => [
    post(path, again),
    409,
    "COORD_OPERATION_ACTIVE",
    "deployment-unit-id",
  ];
  testRefusals(
    () => server,
    [
      ...both(provisioningPath),
      input("a flag that is no boolean", post(`${provisioningPath()}&unsafe=1`, provisioning()), "unsafe"),
      [
        "targets in conflict",
        post(provisioningPath(), conflict),
        400,
        "COORD_CONFLICTING_TARGETS",
        "/targetStatus/1",
      ],
      ["a unit that is being provisioned", ...active(provisioningPath(busy))],
      ["the same unit in another case", ...active(upper)],
      ["the same unit, percent-encoded", ...active(encoded)],
      input("a flag for the queue that is none", post(`${provisioningPath()}&queue=1`, good), "queue"),
      input("an Idempotency-Key with a blank", keyed("a b"), "idempotency-key"),
      input("an empty Idempotency-Key", keyed(""), "idempotency-key"),
      input("an Idempotency-Key of 256 characters", keyed("x".repeat(256)), "idempotency-key"),
      input("an Idempotency-Key that is not ASCII", keyed("\u00e4"), "idempotency-key"),
      input("an If-Match that is no hash", pinned('"abc"'), "if-match"),
      input("an If-Match that takes anything", pinned("*"), "if-match"),
      input("an If-Match without quotes", pinned("x".repeat(22)), "if-match"),
      input("a planHash that is none", planned({ planHash: "abc" }), "/planHash"),
      input("a planHash that is no text", planned({ planHash: 1 }), "/planHash"),
      input("a planHash of 4097 characters", planned({ planHash: "x".repeat(4097) }), "/planHash"),
      [
        "two hashes that differ",
        { ...planned({ planHash: "x".repeat(22) }), headers: { "if-match": `"${"y".repeat(22)}"` } },
        400,
        "COORD_TWO_PLAN_HASHES",
        "/planHash",
      ],
      input(
        "names for removal that are no list",
        planned({ confirmDataRemoval: hullId }),
        "/confirmDataRemoval",
      ),
      input("an empty name for removal", planned({ confirmDataRemoval: [""] }), "/confirmDataRemoval/0"),
      ["a plan that has moved", pinned(`"${"x".repeat(22)}"`), 409, "COORD_PLAN_MOVED", "/planHash"],
      [
        "a mark that is neither true nor false",
        post(
          provisioningPath(),
          part(1, (p) => (p.deletionProtection = "yes")),
        ),
        400,
        "COORD_INVALID_DESCRIPTOR",
        "/descriptor/components/1/deletionProtection",
      ],
      [
        "a mark on the unit that is neither",
        post(
          provisioningPath(),
          unit((u) => (u.deletionProtection = 1)),
        ),
        400,
        "COORD_INVALID_DESCRIPTOR",
        "/descriptor/deletionProtection",
      ],
      [
        "a wrong descriptor, also when it would only be queued",
        post(`${provisioningPath(busy)}&queue=true`, {
          ...provisioning(ships(busy)),
          descriptor: { ...ships(busy), components: "none" },
        }),
        400,
        "COORD_INVALID_DESCRIPTOR",
        "/descriptor/components",
      ],
    ],
  );
});

const fieldsOf = ({ body }: Answer): string[] =>
  (body.moreInfo.problems as string[]).map((problem) => problem.split(":")[0] ?? "");

it("tells all that is wrong with a request at once", async () => {
  const answer = await server.coordinator({
    method: "POST",
    path: `${provisioningPath("%00", "a%00")}&unsafe=maybe`,
    body: { descriptor: 1, targetStatus: [{ componentId: 2, targetStatus: "GONE" }], removeData: "no" },
  });
  expect(fieldsOf(answer).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
    "/descriptor",
    "/removeData",
    "/targetStatus/0/componentId",
    "/targetStatus/0/targetStatus",
    "deployment-unit-id",
    "environment",
    "unsafe",
  ]);
});

it("tells all that is wrong with a unit at once", async () => {
  const wrong: any = ships("urn:dmb:dp:sea:other:0");
  wrong.environment = "production";
  wrong.components[0].dependsOn = ["urn:else"];
  wrong.components[1].infrastructureTemplateId = "urn:dmb:itm:none:1";
  const before = await countRows(server);
  const body = { descriptor: wrong, targetStatus: [{ componentId: "nobody", targetStatus: "DEPLOYED" }] };
  const answer = await server.coordinator({ method: "POST", path: provisioningPath(), body });
  expect(fieldsOf(answer)).toEqual([
    "/descriptor/components/0/dependsOn/0",
    "/descriptor/id",
    "/descriptor/environment",
    "/descriptor/components/1/infrastructureTemplateId",
    "/targetStatus/0/componentId",
    "/targetStatus",
  ]);
  expect(answer.body.moreInfo.problems.at(-1)).toContain(`${hullId}, ${mastId}, ${sailId}`);
  expect(await countRows(server)).toEqual(before);
});

it("refuses a body beyond the limit", async () => {
  const body = " ".repeat(33 * 1024 * 1024);
  const answer = await server.coordinator({ method: "POST", path: provisioningPath(), body });
  expect([answer.status, answer.body.code]).toEqual([413, "PLATFORM_BODY_TOO_LARGE"]);
});
