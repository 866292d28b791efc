/** A request that is sent again under its Idempotency-Key gets its first answer, although it would be refused by now. */
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  startWholeServer,
  tokenOf,
  type Answer,
  type TestRole,
  type WholeServer,
} from "../support/server.ts";
import { ended, hullId, provisioning, provisioningPath, ships } from "./ships.ts";

let server: WholeServer;
type Person = "ada" | "grace";

beforeAll(async () => {
  server = await startWholeServer({
    configure(config) {
      const { tokens } = config.auth.providers.service!["default"] as any;
      for (const name of ["ada", "grace"])
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

const send = (path: string, as: Person, { key, body }: { key?: string; body?: object }): Promise<Answer> =>
  server.coordinator({
    method: "POST",
    path,
    as: as as TestRole,
    ...(key === undefined ? {} : { headers: { "idempotency-key": key } }),
    ...(body === undefined ? {} : { body }),
  });

/** From grace to ada. */
async function giveAway(id: string): Promise<void> {
  const given = await send(provisioningPath(id), "grace", { body: provisioning(unitOf(id, "ada")) });
  expect(await ended(server, given.body)).toBe("COMPLETED");
}

it("a start by whoever has given the unit away since", async () => {
  const id = "urn:dmb:dp:sea:repeated-start:0";
  const wanted = { key: "k1", body: provisioning(unitOf(id, "grace")) };
  const first = await send(provisioningPath(id), "grace", wanted);
  expect([first.status, await ended(server, first.body)]).toEqual([202, "COMPLETED"]);
  await giveAway(id);
  const again = await send(provisioningPath(id), "grace", wanted);
  expect([again.status, again.body]).toEqual([202, first.body]);
  // Another request under the key, and another key, are refused as ever.
  const other = await send(provisioningPath(id), "grace", {
    ...wanted,
    body: provisioning(unitOf(id, "grace"), { preventRedeploy: true }),
  });
  expect([other.status, other.body.code]).toEqual([409, "COORD_IDEMPOTENCY_KEY_REUSED"]);
  const fresh = await send(provisioningPath(id), "grace", { ...wanted, key: "k2" });
  expect([fresh.status, fresh.body.code]).toEqual([403, "COORD_NOT_OWNER"]);
  // The key of somebody else says nothing.
  const theirs = await send(provisioningPath(id), "ada", wanted);
  expect(theirs.body).not.toBe(first.body);
  if (theirs.status === 202) await ended(server, theirs.body);
});

it("a resume by whoever has given the unit away since", async () => {
  const id = "urn:dmb:dp:sea:repeated-resume:0";
  server.mock.setBehaviours({ components: { [hullId]: { outcome: "FAILED" } } });
  const failed = await send(provisioningPath(id), "grace", { body: provisioning(unitOf(id, "grace")) });
  expect(await ended(server, failed.body)).toBe("FAILED");
  server.mock.setBehaviours({});
  const path = `/v1/execution-plans/${failed.body}/resume`;
  const first = await send(path, "grace", { key: "r1" });
  expect([first.status, await ended(server, first.body)]).toEqual([202, "COMPLETED"]);
  await giveAway(id);
  const again = await send(path, "grace", { key: "r1" });
  expect([again.status, again.body]).toEqual([202, first.body]);
  const fresh = await send(path, "grace", { key: "r2" });
  expect([fresh.status, fresh.body.code]).toEqual([403, "COORD_NOT_OWNER"]);
});
