/** A queued start is allowed by the owners that the unit had when it was sent; at its turn they have to be the same. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startWholeServer, tokenOf, type TestRole, type WholeServer } from "../support/server.ts";
import { ended, provisioning, provisioningPath, ships, wanted, whileAdapterIsHeld } from "./ships.ts";

let server: WholeServer;
const people = ["ada", "grace"] as const;
type Person = (typeof people)[number];

beforeAll(async () => {
  server = await startWholeServer({
    configure(config) {
      const { tokens } = config.auth.providers.service!["default"] as any;
      for (const name of people)
        tokens.push({ name, secret: tokenOf(name as TestRole), roles: ["developer"] });
    },
  });
  await server.registerMock();
});
afterAll(() => server.close());

const unitOf = (id: string, person: Person): any => ({
  ...ships(id),
  domain: "sea",
  ownerGroup: `service:default/${person}`,
});

async function start(unit: any, as: Person, body: object = {}): Promise<string> {
  const answer = await server.coordinator({
    method: "POST",
    path: `${provisioningPath(unit.id)}&queue=true`,
    as: as as TestRole,
    body: provisioning(unit, body),
  });
  expect(answer.status, answer.text).toBe(202);
  return answer.body;
}

const reasonOf = async (token: string): Promise<string> =>
  (await server.coordinator({ path: `/v1/logs/${token}` })).text;
const ownerOf = async (id: string): Promise<unknown> => {
  const { rows } = await server.db.database.pool.query("select descriptor from units where unit_id = $1", [
    id,
  ]);
  return rows[0].descriptor.ownerGroup;
};

it("nobody takes a new unit over from behind its first plan", async () => {
  const id = "urn:dmb:dp:sea:queued-owners:0";
  const mine = { targetStatus: wanted(ships(), "NOT_DEPLOYED") };
  const [first, stolen, next] = await whileAdapterIsHeld(server, async () => [
    await start(unitOf(id, "grace"), "grace"),
    await start(unitOf(id, "ada"), "ada", mine),
    await start(unitOf(id, "grace"), "grace"),
  ]);
  expect(await ended(server, first)).toBe("COMPLETED");
  expect(await ended(server, stolen)).toBe("FAILED");
  expect(await reasonOf(stolen)).toContain(`The owners of ${id} in development have changed`);
  // Those who own it now go on, and what they own is still there.
  expect(await ended(server, next)).toBe("COMPLETED");
  expect(await ownerOf(id)).toBe("service:default/grace");
  const status = await server.coordinator({
    path: `/v1/deployment-units/${id}/provisioning-status?environment=development`,
  });
  expect(status.body.status).toBe("DEPLOYED");
});

it("a former owner does not get a unit back that a plan ahead has given away", async () => {
  const id = "urn:dmb:dp:sea:given-away:0";
  await ended(server, await start(unitOf(id, "grace"), "grace"));
  const [given, back] = await whileAdapterIsHeld(server, async () => [
    await start(unitOf(id, "ada"), "grace"),
    await start(unitOf(id, "grace"), "grace"),
  ]);
  expect(await ended(server, given)).toBe("COMPLETED");
  expect(await ended(server, back)).toBe("FAILED");
  expect(await ownerOf(id)).toBe("service:default/ada");
});
