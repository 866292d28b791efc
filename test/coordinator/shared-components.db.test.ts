/** A component that two units deploy under one id is owned by both. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { deployedUnits } from "../../src/coordinator/units/deployed-store.ts";
import { startWholeServer, type WholeServer } from "../support/server.ts";
import { ended, hullId, ships, start } from "./ships.ts";

let server: WholeServer;
beforeAll(async () => {
  server = await startWholeServer();
  await server.registerMock();
});
afterAll(() => server.close());

it("all units with an id are found, those of which it is a component too", async () => {
  const ids = ["urn:dmb:dp:sea:first:0", "urn:dmb:dp:sea:second:0"];
  for (const id of ids)
    expect(
      await ended(server, await start(server, { ...ships(id), ownerGroup: `group:of-${id}` } as any)),
    ).toBe("COMPLETED");
  const find = async (id: string): Promise<string[]> => {
    const query = { id, environment: "development" };
    const found = await deployedUnits(server.db.database.db).findFields(query, ["ownerGroup", "none"]);
    return found.map((fields) => {
      expect(Object.keys(fields)).toEqual(["ownerGroup"]);
      return (fields as { ownerGroup: string }).ownerGroup;
    });
  };
  expect(await find(hullId.toUpperCase())).toEqual(ids.map((id) => `group:of-${id}`));
  expect(await find(ids[1]!)).toEqual([`group:of-${ids[1]}`]);
  expect(await find("urn:dmb:cmp:sea:nothing")).toEqual([]);
});
