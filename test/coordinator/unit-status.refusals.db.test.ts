import { afterAll, beforeAll, describe } from "vitest";
import { startWholeServer, type Call, type WholeServer } from "../support/server.ts";
import { input, testRefusals, type Refusal } from "./refusals.ts";
import { hullId, ships, start, unitId } from "./ships.ts";

let server: WholeServer;
const busy = "urn:dmb:dp:sea:busy:0";

beforeAll(async () => {
  server = await startWholeServer({ workers: "off" });
  await server.registerMock();
  await start(server, ships(busy));
});
afterAll(() => server.close());

/** What all operations on a unit in an environment refuse. */
const onUnits = (call: (id: string, query: string) => Call): Refusal[] => [
  input("no environment", call(unitId, ""), "environment"),
  input("an empty environment", call(unitId, "?environment="), "environment"),
  input("an environment twice", call(unitId, "?environment=a&environment=b"), "environment"),
  input("NUL in the environment", call(unitId, "?environment=%00"), "environment"),
  input("an environment that is not UTF-8", call(unitId, "?environment=%c3%28"), "environment"),
  input("NUL in the unit's id", call("%00", "?environment=development"), "deployment-unit-id"),
  input("a unit's id that is not UTF-8", call("%c3%28", "?environment=development"), ""),
  input("a surrogate in the unit's id", call("%ed%a0%80", "?environment=development"), ""),
  input("a long unit's id", call("x".repeat(513), "?environment=development"), "deployment-unit-id"),
  input("an id beyond what the router takes", call("x".repeat(2_049), "?environment=development"), ""),
  [
    "an unknown environment",
    call(unitId, "?environment=moon"),
    400,
    "COORD_UNKNOWN_ENVIRONMENT",
    "environment",
  ],
];

describe("getUnitStatus refuses", () => {
  const path = (id: string, query: string): string =>
    `/v1/deployment-units/${id}/provisioning-status${query}`;
  const flag = path(unitId, "?environment=development&include-descriptor=TRUE");
  testRefusals(
    () => server,
    [
      ...onUnits((id, query) => ({ path: path(id, query) })),
      input("a flag that is no boolean", { path: flag }, "include-descriptor"),
    ],
  );
});

describe("getComponentStatus refuses", () => {
  const path = (id: string, component: string, query: string): string =>
    `/v1/deployment-units/${id}/components/${component}/provisioning-status${query}`;
  const query = "?environment=development";
  const flag = path(unitId, hullId, `${query}&include-descriptor=`);
  testRefusals(
    () => server,
    [
      ...onUnits((id, given) => ({ path: path(id, hullId, given) })),
      input("NUL in the component's id", { path: path(unitId, "%00", query) }, "component-id"),
      input("a long component's id", { path: path(unitId, "x".repeat(513), query) }, "component-id"),
      input("a flag that is no boolean", { path: flag }, "include-descriptor"),
    ],
  );
});

describe("terminateUnitProvisioning refuses", () => {
  const call = (id: string, query: string): Call => ({
    method: "POST",
    path: `/v2/deployment-units/${id}/provisioning/terminate${query}`,
  });
  const atRest = (what: string, request: Call): Refusal => [
    what,
    request,
    400,
    "COORD_NOTHING_ACTIVE",
    "deployment-unit-id",
  ];
  testRefusals(
    () => server,
    [
      ...onUnits(call),
      input("a mode in capitals", call(busy, "?environment=development&mode=SAFE"), "mode"),
      input("a mode twice", call(busy, "?environment=development&mode=safe&mode=forced"), "mode"),
      atRest("a unit at rest", call(unitId, "?environment=development")),
      atRest("a unit that is active elsewhere", call(busy, "?environment=production")),
    ],
  );
});
