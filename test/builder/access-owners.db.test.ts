/** Who owns by a group: the people that the catalogue has in it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { deployHarbour, hook, openHarbour, type Harbour } from "./harbour.ts";

let harbour: Harbour;

beforeAll(async () => {
  harbour = await openHarbour({
    configure: (config) => {
      config.actionHandlers.accessRequest.hooks = [hook("owner")];
      const grace = { userEntityRef: "user:default/grace", roles: ["viewer" as const] };
      config.auth.providers["guest"] = { default: { dangerouslyAllowInProduction: false, ...grace } };
    },
  });
  await deployHarbour(harbour, { ownerGroup: "harbour-masters" });
});
afterAll(() => harbour.close());

it("somebody of the owning group sees and answers, once the catalogue knows them", async () => {
  const { server, recorder } = harbour;
  const request = await harbour.opened({}, { as: "developer" });
  expect(request.owners).toEqual(["service:default/developer", "group:default/harbour-masters"]);
  const [{ hookId }] = request.hooks;
  const answer = () =>
    server.builder({ method: "POST", path: `/hooks/${hookId}/answer`, body: { status: "OK" }, as: null });
  expect((await answer()).status).toBe(404);
  expect((await harbour.read(request.id, null)).error.code).toBe("BUILDER_ACCESS_REQUEST_NOT_FOUND");
  const grace = {
    apiVersion: "backstage.io/v1alpha1",
    kind: "User",
    metadata: { name: "grace" },
    spec: { memberOf: ["harbour-masters"] },
  };
  recorder.answers.set("/org.yaml", { status: 200, body: grace });
  const location = { type: "url", target: `${recorder.url}/org.yaml` };
  const registered = await server.catalog({ method: "POST", path: "/locations", body: location });
  expect(registered.status, registered.text).toBe(201);
  expect((await harbour.read(request.id, null)).status).toBe("PENDING");
  const { body } = await server.builder({ path: "/hooks?status=pending", as: null });
  expect(body.data.map((each: any) => each.hookId)).toEqual([hookId]);
  const answered = await answer();
  expect([answered.status, answered.body.endedBy]).toEqual([200, "user:default/grace"]);
  await harbour.reached(request.id, "GRANTED");
});
