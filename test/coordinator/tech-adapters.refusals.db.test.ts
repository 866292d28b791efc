import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mockAdapterId, startWholeServer, type Call, type WholeServer } from "../support/server.ts";
import { input, refusal, testRefusals, type Refusal } from "./refusals.ts";
import { ended, start } from "./ships.ts";

let server: WholeServer;

beforeAll(async () => {
  server = await startWholeServer();
  await server.registerMock();
  await ended(server, await start(server));
});
afterAll(() => server.close());

describe("createTechAdapter refuses", () => {
  const good = { id: "urn:dmb:itm:rope:1", name: "Rope", version: "1" };
  const post = (body: unknown): Call => ({ method: "POST", path: "/v1/tech-adapters", body });
  const but = (more: object): Call => post({ ...good, ...more });
  const invalid = refusal(400, "COORD_INVALID_ADAPTER");
  testRefusals(
    () => server,
    [
      input("no body", post(undefined), ""),
      input("malformed JSON", post('{"id": "a",}'), ""),
      input(
        "bytes that are no text",
        { ...post('{"id":"a"}'), headers: { "content-type": "image/png" } },
        "content-type",
      ),
      input("an empty object", post({}), "/id"),
      input("no name", but({ name: undefined }), "/name"),
      input("an empty version", but({ version: "" }), "/version"),
      input("a version that is a number", but({ version: 1 }), "/version"),
      input("an empty id", but({ id: "" }), "/id"),
      input("an id of 513 characters", but({ id: "x".repeat(513) }), "/id"),
      input("a long name", but({ name: "x".repeat(256) }), "/name"),
      input("a long description", but({ description: "x".repeat(4_097) }), "/description"),
      input("a description that is null", but({ description: null }), "/description"),
      input("NUL in the id", but({ id: "a\0" }), "/id"),
      input("NUL in the name", but({ name: "a\0" }), "/name"),
      input("NUL in the description", but({ description: "\0" }), "/description"),
      input("NUL in a label", but({ labels: ["a=b", "c=\0"] }), "/labels/1"),
      input("half a surrogate pair", but({ version: "\udc00" }), "/version"),
      input("labels that are no list", but({ labels: "a=b" }), "/labels"),
      input("a label without a value", but({ labels: ["a=b", "c"] }), "/labels/1"),
      input("a label with a comma", but({ labels: ["a=b,c"] }), "/labels/0"),
      input("too many labels", but({ labels: Array.from({ length: 65 }, (_, i) => `a=${i}`) }), "/labels"),
      invalid("a version that its id does not end in", but({ version: "2" }), "/version"),
      invalid("an id of more than 1024 bytes", but({ id: "船".repeat(400) }), "/id"),
      ["an id that is taken", but({ id: mockAdapterId }), 409, "COORD_ADAPTER_EXISTS", "/id"],
    ],
  );
});

describe("listTechAdapters refuses", () => {
  const list = (query: string): Call => ({ path: `/v1/tech-adapters?${query}` });
  testRefusals(
    () => server,
    [
      input("a limit of nothing", list("limit=0"), "limit"),
      input("a limit that is no number", list("limit=ten"), "limit"),
      input("half a limit", list("limit=1.5"), "limit"),
      input("an endless limit", list("limit=1e999"), "limit"),
      input("an empty limit", list("limit="), "limit"),
      input("an offset below nothing", list("offset=-1"), "offset"),
      input("a huge offset", list("offset=99999999999999999999"), "offset"),
      input("another key to sort by", list("sort-by=id"), "sort-by"),
      input("another order", list("sort-order=ASC"), "sort-order"),
      input("a search twice", list("search=a&search=b"), "search"),
      input("NUL in the search", list("search=a%00"), "search"),
      input("a search that is not UTF-8", list("search=%ff"), "search"),
      input("a surrogate in the search", list("search=%ed%a0%80"), "search"),
      input("a long search", list(`search=${"x".repeat(256)}`), "search"),
      input("NUL in a label", list("labels=a=b,c=%00"), "labels"),
    ],
  );
});

/** What all operations on one adapter refuse; `rest` is what follows its id. */
const onAdapters = (method: string, rest = "", body?: unknown): Refusal[] => {
  const call = (id: string): Call => ({ method, path: `/v1/tech-adapters/${id}${rest}`, body });
  return [
    ["an unknown id", call("urn:dmb:itm:none:1"), 404, "COORD_ADAPTER_NOT_FOUND", "id"],
    ["an id in another case", call(mockAdapterId.toUpperCase()), 404, "COORD_ADAPTER_NOT_FOUND", "id"],
    input("NUL in the id", call("a%00"), "id"),
    input("an id that is not UTF-8", call("%ff"), ""),
    input("a long id", call("x".repeat(513)), "id"),
  ];
};

describe("getTechAdapter refuses", () => testRefusals(() => server, onAdapters("GET")));

const inUse = ["COORD_ADAPTER_IN_USE", "id"] as const;
const mockPath = `/v1/tech-adapters/${mockAdapterId}`;

describe("deleteTechAdapter refuses", () => {
  testRefusals(
    () => server,
    [
      ...onAdapters("DELETE"),
      ["an adapter that components are deployed with", { method: "DELETE", path: mockPath }, 409, ...inUse],
    ],
  );
});

const noDeployment = ["COORD_DEPLOYMENT_NOT_FOUND", "environment"] as const;

describe.each(["GET", "DELETE"])("%s of a deployment refuses", (method) => {
  const at = (environment: string): Call => ({ method, path: `${mockPath}/deployments/${environment}` });
  testRefusals(
    () => server,
    [
      ...onAdapters(method, "/deployments/development"),
      ["an environment without one", at("moon"), 404, ...noDeployment],
      ["an environment in another case", at("Development"), 404, ...noDeployment],
      input("NUL in the environment", at("a%00"), "environment"),
      input("a long environment", at("x".repeat(129)), "environment"),
    ],
  );
});

describe("deleteAdapterDeployment also refuses", () => {
  const call = { method: "DELETE", path: `${mockPath}/deployments/development` };
  testRefusals(() => server, [["one that components are deployed with", call, 409, ...inUse]]);
});

describe("upsertAdapterDeployment refuses", () => {
  const url = "http://adapter.example:8080";
  const put = (body: unknown, environment = "development"): Call => ({
    method: "PUT",
    path: `${mockPath}/deployments/${environment}`,
    body,
  });
  const address = (what: string, text: string): Refusal => [
    what,
    put({ url: text }),
    400,
    "COORD_INVALID_ADAPTER",
    "/url",
  ];
  const guard = (policies: unknown): Call => put({ url, properties: { dataContractGuardian: { policies } } });
  const policies = "/properties/dataContractGuardian/policies";
  testRefusals(
    () => server,
    [
      ...onAdapters("PUT", "/deployments/development", { url }),
      input("no body", put(undefined), ""),
      input("no address", put({ enabled: true }), "/url"),
      input("an empty address", put({ url: "" }), "/url"),
      input("an address that is a number", put({ url: 80 }), "/url"),
      input("a long address", put({ url: `${url}/${"x".repeat(2_048)}` }), "/url"),
      input("NUL in the address", put({ url: `${url}/\0` }), "/url"),
      input("enabled as text", put({ url, enabled: "yes" }), "/enabled"),
      input("properties that are a list", put({ url, properties: [] }), "/properties"),
      input("NUL in the properties", put({ url, properties: { a: { b: "\0" } } }), "/properties/a/b"),
      input("NUL in a property's name", put({ url, properties: { "a\0": 1 } }), "/properties"),
      input("half a surrogate pair", put({ url, properties: { a: "\ud800" } }), "/properties/a"),
      input("policies that are no list", guard({}), policies),
      input("a policy without a type", guard([{ spec: { id: "p" } }]), `${policies}/0/resourceType`),
      input(
        "a policy whose spec has no id",
        guard([{ resourceType: "t", spec: {} }]),
        `${policies}/0/spec/id`,
      ),
      input("NUL in the environment", put({ url }, "a%00"), "environment"),
      ["an unknown environment", put({ url }, "moon"), 400, "COORD_UNKNOWN_ENVIRONMENT", "environment"],
      address("an address that is none", "adapter:8080:x"),
      address("another scheme", "ftp://adapter.example"),
      address("a password in the address", "http://a:b@adapter.example"),
      address("a query in the address", `${url}/v1?a=b`),
      address("a fragment in the address", `${url}/#a`),
      address("an address of a metadata service", "http://169.254.169.254/latest"),
    ],
  );

  it("tells of the address and the environment together", async () => {
    const { status, body } = await server.coordinator(put({ url: "ftp://x" }, "moon"));
    expect([status, body.code]).toEqual([400, "COORD_INVALID_ADAPTER"]);
    expect(body.moreInfo.problems).toEqual([
      "environment: The environment moon is not configured.",
      "/url: The URL scheme must be one of: http, https.",
    ]);
  });
});
