import { Type } from "typebox";
import { request } from "undici";
import { expect, it } from "vitest";
import { startTestServer, testArea } from "../../../../test/support/http.ts";
import { route } from "../operation.ts";
import { Nullable } from "../schema.ts";

const area = testArea(
  (app) => {
    route(app, {
      id: "putThing",
      method: "PUT",
      path: "/v1/things/{thing-id}",
      summary: "Puts a thing",
      tags: ["things"],
      rule: "write",
      query: Type.Object({
        env: Type.Array(Type.String(), { default: [], description: "Names" }),
        after: Type.Optional(Nullable(Type.String())),
        must: Type.Boolean(),
      }),
      body: Type.Object({ size: Type.Integer({ default: 3 }), node: Type.Ref("Node") }),
      response: { 200: Type.Ref("Node"), 204: { description: "Unchanged", noBody: true } },
      errors: [404, 409],
      handler: () => undefined,
    });
    route(app, {
      id: "upload",
      method: "POST",
      path: "/v1/files",
      summary: "Uploads",
      rule: "open",
      deprecated: true,
      upload: Type.Object({ archive: Type.Unsafe<string>({ type: "string", format: "binary" }) }),
      response: { 200: { description: "Events", contentType: "text/event-stream" } },
      handler: () => undefined,
    });
  },
  { schemas: { Node: Type.Object({ name: Type.String(), kids: Type.Array(Type.Ref("Node")) }) } },
);

it("is served as OpenAPI 3.1, with the schemas that are checked", async () => {
  await using server = await startTestServer([area], {
    access: {
      authenticate: () => {
        throw new Error("the document is public");
      },
      authorize: () => undefined,
      hasRule: () => true,
      isPublic: (rule) => rule === "open",
    },
  });
  const answer = await request(`${server.url}/api/test/openapi.json`);
  const document: unknown = await answer.body.json();
  const error = { $ref: "#/components/schemas/Error" };
  const node = { $ref: "#/components/schemas/Node" };
  const jsonOf = (schema: object): object => ({ "application/json": { schema } });
  expect(document).toMatchObject({
    openapi: "3.1.0",
    info: { title: "Test", version: "1.0.0" },
    components: {
      schemas: {
        Node: { properties: { kids: { type: "array", items: node } } },
        Error: { type: "object" },
        PutThingRequest: {
          type: "object",
          required: ["node"],
          properties: { size: { type: "integer", default: 3 }, node },
        },
        UploadRequest: {
          type: "object",
          required: ["archive"],
          properties: { archive: { type: "string", format: "binary" } },
        },
      },
    },
  });
  expect(Reflect.get(Object(document), "paths")).toEqual({
    "/api/test/v1/things/{thing-id}": {
      put: {
        operationId: "putThing",
        summary: "Puts a thing",
        tags: ["things"],
        "x-rule": "write",
        parameters: [
          {
            name: "thing-id",
            in: "path",
            required: true,
            schema: { type: "string", minLength: 1, maxLength: 2048 },
          },
          {
            name: "env",
            in: "query",
            required: false,
            description: "Names",
            style: "form",
            explode: true,
            schema: { type: "array", items: { type: "string" }, default: [] },
          },
          { name: "after", in: "query", required: false, schema: { type: ["string", "null"] } },
          { name: "must", in: "query", required: true, schema: { type: "boolean" } },
        ],
        requestBody: {
          required: true,
          content: jsonOf({ $ref: "#/components/schemas/PutThingRequest" }),
        },
        responses: {
          200: { description: "Success", content: jsonOf(node) },
          204: { description: "Unchanged" },
          400: { description: "The input is not valid", content: jsonOf(error) },
          401: { description: expect.any(String), content: jsonOf(error) },
          403: { description: expect.any(String), content: jsonOf(error) },
          404: { description: expect.any(String), content: jsonOf(error) },
          408: { description: expect.any(String), content: jsonOf(error) },
          409: { description: expect.any(String), content: jsonOf(error) },
          413: { description: expect.any(String), content: jsonOf(error) },
          415: { description: expect.any(String), content: jsonOf(error) },
          429: { description: expect.any(String), headers: expect.any(Object), content: jsonOf(error) },
          500: { description: expect.any(String), content: jsonOf(error) },
          503: { description: expect.any(String), headers: expect.any(Object), content: jsonOf(error) },
        },
      },
    },
    "/api/test/v1/files": {
      post: expect.objectContaining({
        deprecated: true,
        security: [],
        requestBody: {
          required: true,
          content: {
            "multipart/form-data": {
              schema: { $ref: "#/components/schemas/UploadRequest" },
            },
          },
        },
        responses: expect.objectContaining({
          200: { description: "Events", content: { "text/event-stream": { schema: { type: "string" } } } },
        }),
      }),
    },
  });
});
