/** Whom an access request is for: decided on the form of an identity that is stored, shown to third parties and sent. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { deployHarbour, hook, openHarbour, type Harbour } from "./harbour.ts";
import { startThirdParty, type ThirdParty, type Ticket } from "./third-party.ts";

let harbour: Harbour;
let ticketing: ThirdParty;

beforeAll(async () => {
  ticketing = await startThirdParty();
  harbour = await openHarbour({
    configure: (config) => {
      const remote = { kind: "remote", url: ticketing.url, timeoutMs: 15_000 } as const;
      config.actionHandlers.accessRequest.hooks = [hook("tickets", remote)];
      const kate = { userEntityRef: "user:default/kate", roles: ["viewer" as const] };
      config.auth.providers["guest"] = { default: { dangerouslyAllowInProduction: false, ...kate } };
    },
  });
  await deployHarbour(harbour);
  const person = {
    apiVersion: "backstage.io/v1alpha1",
    kind: "User",
    metadata: { name: "kate" },
    spec: { memberOf: ["pilots"] },
  };
  const { server, recorder } = harbour;
  recorder.answers.set("/org.yaml", { status: 200, body: person });
  const location = { type: "url", target: `${recorder.url}/org.yaml` };
  const registered = await server.catalog({ method: "POST", path: "/locations", body: location });
  expect(registered.status, registered.text).toBe(201);
});
afterAll(async () => {
  await harbour.close();
  await ticketing.close();
});
beforeEach(() => {
  harbour.recorder.calls.length = 0;
});

const ticketOf = (request: { id: string }): Promise<Ticket> =>
  eventually("the ticket", () =>
    ticketing.tickets.find(({ fields }) => fields.accessRequestId === request.id),
  );

const namesOf = ({ hooks }: any): string[] => hooks.map(({ hookName }: any) => hookName);

async function approve(request: any): Promise<any> {
  const { requestId } = await ticketOf(request);
  const body = { status: "OK" };
  await harbour.server.builder({ method: "PUT", path: `/hooks/${requestId}`, body, as: null });
  return harbour.reached(request.id, request.operation === "GRANT" ? "GRANTED" : "REVOKED");
}

const forOneself: [given: string[], stored: string[]][] = [
  [["user:default/kate"], ["user:default/kate"]],
  [["user:kate"], ["user:kate"]],
  [["USER:Default/Kate"], ["user:default/kate"]],
  [
    ["user:kate", "group:Pilots", "user:KATE"],
    ["user:kate", "group:pilots"],
  ],
];

it.each(forOneself)("%j are the requester: %j", async (identities, stored) => {
  const request = await harbour.opened({ identities }, { as: null });
  expect([request.identities, namesOf(request)]).toEqual([stored, ["tickets"]]);
  expect((await ticketOf(request)).fields.identities).toEqual(stored);
  await approve(request);
  expect(await harbour.access()).toEqual([...stored].sort());
  await approve(await harbour.opened({ identities, operation: "REVOKE" }, { as: null }));
  expect(await harbour.access()).toEqual([]);
  const sent = harbour.recorder.calls.filter(({ path }) => path === "/v1/updateacl");
  expect(sent.map(({ body }) => body.refs)).toEqual([stored, []]);
});

const forOthers: [name: string, given: string[], stored: string[]][] = [
  ["somebody else", ["user:bob"], ["user:bob"]],
  ["a sign that becomes a k", ["user:default/\u212Aate"], ["user:default/\u212Aate"]],
  ["another namespace", ["user:sea/kate"], ["user:sea/kate"]],
  ["a kind that the requester is not", ["group:kate"], ["group:kate"]],
  ["more behind the name", ["user:default/kate/x"], ["user:default/kate/x"]],
  ["somebody else besides", ["user:Kate", "user:Bob"], ["user:kate", "user:Bob"]],
];

it.each(forOthers)("%s: the owner is asked as well", async (_name, identities, stored) => {
  const request = await harbour.opened({ identities }, { as: null });
  expect([request.identities, namesOf(request)]).toEqual([stored, ["tickets", "the owner"]]);
});

it("access that was given under the short form of the name can be given back", async () => {
  const granted = await harbour.opened({ identities: ["user:kate"] }, { as: "operator" });
  await approve(granted);
  expect(await harbour.access()).toEqual(["user:kate"]);
  const given = { identities: ["user:default/kate"], operation: "REVOKE" };
  const request = await harbour.opened(given, { as: null });
  expect([request.identities, namesOf(request)]).toEqual([["user:default/kate", "user:kate"], ["tickets"]]);
  await approve(request);
  expect(await harbour.access()).toEqual([]);
});
