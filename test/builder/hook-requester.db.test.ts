/** Who asks for something sees the hooks that decide about it, however the provider writes the name. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { deployHarbour, hook, openHarbour, type Harbour } from "./harbour.ts";

let harbour: Harbour;

beforeAll(async () => {
  harbour = await openHarbour({
    configure: (config) => {
      config.actionHandlers.accessRequest.hooks = [hook("owner")];
      const zoe = { userEntityRef: "user:default/Zoe", roles: ["viewer" as const] };
      config.auth.providers["guest"] = { default: { dangerouslyAllowInProduction: false, ...zoe } };
    },
  });
  await deployHarbour(harbour);
});
afterAll(() => harbour.close());

it("a requester whose name has a capital letter sees the hooks of their requests, and no others", async () => {
  const { server } = harbour;
  const request = await harbour.opened({ identities: ["user:zoe"] }, { as: null });
  const others = await harbour.opened({}, { as: "operator" });
  expect([request.requester, others.hooks.length]).toEqual(["user:default/Zoe", 1]);
  const [{ hookId }] = request.hooks;
  const { body } = await server.builder({ path: "/hooks", as: null });
  expect(body.data.map((each: any) => each.hookId)).toEqual([hookId]);
  const statuses = [hookId, others.hooks[0].hookId].map(
    async (id) => (await server.builder({ path: `/hooks/${id}`, as: null })).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 404]);
});
