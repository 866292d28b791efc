import { afterEach, expect, it, vi } from "vitest";
import { startTestServer, testArea } from "../../../test/support/http.ts";
import type { BuilderExtra } from "../context.ts";
import type { ActionHandler } from "./handlers.ts";
import { addHookRoutes } from "./routes.ts";

afterEach(() => vi.restoreAllMocks());

const put = (url: string, requestId: string, body: string): Promise<Response> =>
  fetch(`${url}/api/test/hooks/${requestId}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body,
  });

const unused = (): never => {
  throw new Error("Nothing of this is asked for.");
};
const handler: ActionHandler = { approved: unused, refused: unused };

const startHooks = () =>
  startTestServer([
    testArea<BuilderExtra>((app) =>
      addHookRoutes(app, { accessRequest: handler, deployment: handler }, unused),
    ),
  ]);

const answerBody = JSON.stringify({ status: "OK", hookInfo: { comment: "read once" } });

it("reads the answer of a third party once", async () => {
  await using server = await startHooks();
  const parse = vi.spyOn(JSON, "parse");
  const answer = await put(server.url, "none", answerBody);
  expect(parse.mock.calls.filter(([text]) => text === answerBody)).toHaveLength(1);
  expect([answer.status, await answer.json()]).toMatchObject([404, { code: "BUILDER_HOOK_NOT_FOUND" }]);
});

it.each<[string, string, number, string]>([
  ["a text that is no id", answerBody, 404, "BUILDER_HOOK_NOT_FOUND"],
  ["a text that is no id, and a wrong body", '{"status":3}', 400, "PLATFORM_INPUT"],
])("answers %s", async (_, body, status, code) => {
  await using server = await startHooks();
  const answer = await put(server.url, "", body);
  expect([answer.status, await answer.json()]).toMatchObject([status, { code }]);
});
