import { expect, it } from "vitest";
import { adapterRequestProblems } from "../../../../test/support/adapter-openapi.ts";
import { reverseProvisioningBody, updateAclBody } from "./request-bodies.ts";

const request = '{"dataProduct":{"id":"u","components":[{"id":"u:p"}]},"componentIdToProvision":"u:p"}';
const result = '{"status":"COMPLETED","result":"done","info":{"publicInfo":{},"privateInfo":{"role":"r"}}}';
const problemsOf = (path: string, body: string): string[] =>
  adapterRequestProblems({ method: "POST", path, body: JSON.parse(body) });

it("the body of a change of access, byte by byte", () => {
  const refs = ["user:ada", "group:ops"];
  const body = updateAclBody({ refs, request, result, accessControlFields: { purpose: "report" } });
  expect(body).toBe(
    String.raw`{"refs":["user:ada","group:ops"],"provisionInfo":{"request":"{\"dataProduct\":{\"id\":\"u\",` +
      String.raw`\"components\":[{\"id\":\"u:p\"}]},\"componentIdToProvision\":\"u:p\"}","result":"{\"status\":` +
      String.raw`\"COMPLETED\",\"result\":\"done\",\"info\":{\"publicInfo\":{},\"privateInfo\":{\"role\":\"r\"}}}"},` +
      `"accessControlFields":{"purpose":"report"}}`,
  );
  expect(problemsOf("/v1/updateacl", body)).toEqual([]);
  expect(problemsOf("/v1/updateacl", updateAclBody({ refs: [], request, result }))).toEqual([]);
});

it("the body of a reverse provisioning, byte by byte", () => {
  const asked = { useCaseTemplateId: "urn:t", environment: "development" };
  const body = reverseProvisioningBody({
    ...asked,
    params: { table: "t" },
    catalogInfo: { kind: "Component" },
  });
  expect(body).toBe(
    '{"useCaseTemplateId":"urn:t","environment":"development","params":{"table":"t"},"catalogInfo":{"kind":"Component"}}',
  );
  expect(problemsOf("/v1/reverse-provisioning", body)).toEqual([]);
  expect(problemsOf("/v1/reverse-provisioning", reverseProvisioningBody(asked))).toEqual([]);
});

it.each([
  ["/v1/updateacl", updateAclBody({ refs: ["ada"], request, result }), "/refs/0"],
  ["/v1/updateacl", updateAclBody({ refs: [], request, result: "" }), "/provisionInfo/result"],
  ["/v1/updateacl", updateAclBody({ refs: [], request: "a: b", result }), "provisionInfo.request"],
  [
    "/v1/updateacl",
    updateAclBody({ refs: [], request, result: '{"status":"COMPLETED"}' }),
    "info of both parts",
  ],
  ["/v1/reverse-provisioning", "{}", "useCaseTemplateId"],
  ["/v1/validate", '{"descriptorKind":"COMPONENT_DESCRIPTOR","descriptor":"a: b"}', "removeData"],
  ["/v1/deploy", "{}", "not in the document"],
])("a body of %s that is not as the document says is found out", (path, body, why) => {
  expect(problemsOf(path, body).join()).toContain(why);
});
