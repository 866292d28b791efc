import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestServer, type RunningServer } from "../../../test/support/http.ts";
import { Failure } from "../../platform/errors/failure.ts";
import type { TechAdapterRegistration } from "../ports.ts";
import { createRenderer } from "../renderer.ts";
import { answerOf, problemsOf, testBuilder, type BuilderAnswer } from "../testdata.ts";

const renderer = createRenderer({ workers: 1 });
const registered: TechAdapterRegistration[] = [];
let catalogueFails: Failure | null = null;
let reachable: boolean | undefined = true;
let server: RunningServer;

beforeAll(async () => {
  const catalogue = {
    async register(_ctx: unknown, registration: TechAdapterRegistration) {
      if (catalogueFails !== null) throw catalogueFails;
      registered.push(registration);
    },
  };
  server = await startTestServer([testBuilder(renderer, { catalogue, probeUrl: async () => reachable })]);
});
afterAll(async () => {
  await server.close();
  await renderer.close();
});
beforeEach(() => {
  registered.length = 0;
  catalogueFails = null;
  reachable = true;
});

const registration = {
  id: "urn:dmb:itm:postgres-storage:1",
  name: "PostgreSQL storage",
  description: "Schemas and tables",
  version: "1",
  url: "http://127.0.0.1:9999/adapter",
  environment: "development",
};

const register = async (body: unknown): Promise<BuilderAnswer & { text: unknown }> => {
  const response = await fetch(`${server.url}/api/builder/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const answer = await answerOf(response);
  return { ...answer, text: answer.body };
};

describe("POST /register", () => {
  it("passes the adapter on and answers OK", async () => {
    const answer = await register({
      ...registration,
      properties: { dataContractGuardian: { policies: [] } },
    });
    expect([answer.status, answer.text, answer.headers.get("x-plinth-reachable")]).toEqual([
      200,
      "OK",
      "true",
    ]);
    expect(registered).toEqual([{ ...registration, properties: { dataContractGuardian: { policies: [] } } }]);
  });

  it("takes an object under another name as properties of the template", async () => {
    const answer = await register({
      ...registration,
      properties: { a: 1 },
      infrastructureTemplateProperties: { a: 0, b: { c: 2 } },
    });
    expect(answer.status).toBe(200);
    expect(registered).toEqual([{ ...registration, properties: { a: 1, b: { c: 2 } } }]);
  });

  it.each([
    [false, "false"],
    [undefined, "unknown"],
  ])("registers an adapter whose address answers %s", async (answers, header) => {
    reachable = answers;
    const answer = await register(registration);
    expect([answer.status, answer.headers.get("x-plinth-reachable")]).toEqual([200, header]);
    expect(registered).toEqual([{ ...registration, properties: {} }]);
  });

  it.each<[string, unknown, string[]]>([
    ["an empty object", {}, ["/id", "/name", "/description", "/version", "/url", "/environment"]],
    ["a wrong version", { ...registration, version: "2" }, ["/version"]],
    [
      "an unknown environment and a wrong version",
      { ...registration, version: "2", environment: "x" },
      ["/environment", "/version"],
    ],
    [
      "a missing name and a wrong version",
      { ...registration, name: undefined, version: "2" },
      ["/name", "/version"],
    ],
    ["an address that the policy refuses", { ...registration, url: "http://169.254.169.254/x" }, ["/url"]],
    [
      "everything wrong",
      { id: "x:1", name: "", description: 1, version: "2", url: "ftp://x", environment: "e" },
      ["/description", "/environment", "/id", "/name", "/url", "/version"],
    ],
    ["properties that are a list", { ...registration, properties: [] }, ["/properties"]],
    [
      "fields that it does not know and that are no objects",
      { ...registration, enabled: true, parameters: [], note: "x", none: null },
      ["/enabled", "/none", "/note", "/parameters"],
    ],
  ])("refuses %s with every problem", async (_case, body, where) => {
    const answer = await register(body);
    expect(answer.status).toBe(400);
    expect(problemsOf(answer).toSorted()).toEqual(where.toSorted());
    expect(registered).toEqual([]);
  });

  it.each(["", "{", "[]", "null", '"x"'])("refuses the body %j", async (body) => {
    const answer = await register(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: { name: "InputError" }, response: { statusCode: 400 } });
  });

  it("passes on what the catalogue refuses", async () => {
    catalogueFails = new Failure({ kind: "conflict", code: "COORD_X", message: "Taken." });
    const answer = await register(registration);
    expect([answer.status, answer.body.error]).toEqual([
      409,
      { name: "ConflictError", message: "Taken.", code: "COORD_X" },
    ]);
  });

  it("answers unknown paths and methods in the builder's words", async () => {
    const unknown = await answerOf(await fetch(`${server.url}/api/builder/nothing`));
    expect([unknown.status, unknown.body.error.name]).toEqual([404, "NotFoundError"]);
    const method = await answerOf(await fetch(`${server.url}/api/builder/register`));
    expect([method.status, method.body.error.name]).toEqual([405, "MethodNotAllowedError"]);
  });

  it("documents its operations", async () => {
    const document = await (await fetch(`${server.url}/api/builder/openapi.json`)).text();
    for (const text of ["registerTechAdapter", "buildDescriptor", "multipart/form-data", "development"]) {
      expect(document).toContain(text);
    }
  });
});
