/** Access requests that name a template of the catalogue: their fields have to fit its form. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { deployHarbour, openHarbour, type Harbour } from "./harbour.ts";

let harbour: Harbour;

beforeAll(async () => {
  harbour = await openHarbour();
  await deployHarbour(harbour);
  await register("ask", {
    type: "grant",
    parameters: [
      {
        required: ["identities", "motivation"],
        properties: {
          identities: { type: "array", "ui:field": "IdentitiesPicker", maxItems: 2 },
          motivation: { type: "string", minLength: 5, "ui:widget": "textarea" },
        },
      },
      { properties: { days: { type: "integer", default: 30, maximum: 90 } } },
    ],
  });
  await register("secretive", {
    parameters: { properties: { password: { type: "string", "ui:widget": "password" } } },
  });
  await register("slow", { parameters: { properties: { text: { type: "string", pattern: "^(a+)+$" } } } });
  await register("broken", { parameters: { properties: { text: { type: "nothing" } } } });
});
afterAll(() => harbour.close());

async function register(name: string, spec: object): Promise<void> {
  const { recorder, server } = harbour;
  const entity = {
    apiVersion: "witboost.com/v1",
    kind: "AccessControlRequestTemplate",
    metadata: { name },
    spec: { type: "grant", ...spec },
  };
  recorder.answers.set(`/${name}.yaml`, { status: 200, body: entity });
  const body = { type: "url", target: `${recorder.url}/${name}.yaml` };
  const answer = await server.catalog({ method: "POST", path: "/locations", body });
  expect(answer.status, answer.text).toBe(201);
}

const ref = (name: string): string => `accesscontrolrequesttemplate:default/${name}`;

it("fields that fit get the defaults of the form", async () => {
  const request = await harbour.opened({
    templateRef: ref("ask"),
    accessControlFields: { motivation: "a report" },
  });
  expect([request.accessControlFields, request.templateRef]).toEqual([
    { motivation: "a report", days: 30 },
    ref("ask"),
  ]);
});

const rows: [string, object, [string, string][]][] = [
  [
    "fields that do not fit, one problem each",
    { accessControlFields: { motivation: "x", days: 91 } },
    [
      ["/accessControlFields/days", "It must be <= 90."],
      ["/accessControlFields/motivation", "It must NOT have fewer than 5 characters."],
    ],
  ],
  ["fields that are missing", {}, [["/accessControlFields/motivation", "It is missing."]]],
  [
    "more identities than the form takes",
    { accessControlFields: { motivation: "a report" }, identities: ["user:a", "user:b", "user:c"] },
    [["/identities", "It must NOT have more than 2 items."]],
  ],
  [
    "the other operation",
    { operation: "REVOKE", accessControlFields: { motivation: "a report" } },
    [["/templateRef", `${ref("ask")} is of the type grant, and the request is to revoke.`]],
  ],
  [
    "an unknown template",
    { templateRef: ref("none") },
    [["/templateRef", `The catalogue has no ${ref("none")}.`]],
  ],
  [
    "a template for secrets",
    { templateRef: ref("secretive") },
    [["/templateRef", `${ref("secretive")} has fields for secrets, which an access request can't keep.`]],
  ],
  [
    "a schema that is none",
    { templateRef: ref("broken"), accessControlFields: { text: "a" } },
    [["/templateRef", expect.stringContaining("is no JSON Schema")]],
  ] as never,
  [
    "a pattern that never ends, within the time of a step",
    { templateRef: ref("slow"), accessControlFields: { text: `${"a".repeat(40)}!` } },
    [["/accessControlFields", expect.stringContaining("The fields could not be held against the template")]],
  ] as never,
];

it.each(rows)("refused: %s", async (...[, more, problems]) => {
  const answer = await harbour.request({ templateRef: ref("ask"), ...more });
  expect(answer.status, answer.text).toBe(400);
  const reported = answer.body.error.problems.map(({ where, message }: any) => [where, message]);
  expect(reported.toSorted()).toEqual(problems);
});
