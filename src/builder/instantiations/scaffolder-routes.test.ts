/** What editors and forms ask for; the operations on tasks are tested with a database. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type RunningServer } from "../../../test/support/http.ts";
import type { BuilderDeps } from "../context.ts";
import { createRenderer } from "../renderer.ts";
import { answerOf, problemsOf, testBuilder } from "../testdata.ts";

const renderer = createRenderer({ workers: 1 });
let server: RunningServer;
beforeAll(async () => {
  const deps = { settings: { integrations: [] }, outbound: {}, renderer } as unknown as BuilderDeps;
  server = await startTestServer([testBuilder(renderer, { deps })]);
});
afterAll(async () => {
  await server.close();
  await renderer.close();
});

it("tells editors which filters and functions there are", async () => {
  const answer = await fetch(`${server.url}/api/scaffolder/v2/templating-extensions`);
  const { filters, globals } = (await answer.json()) as Record<string, Record<string, any>>;
  expect(Object.keys(filters ?? {})).toEqual(["pick", "parseEntityRef", "projectSlug", "parseRepoUrl"]);
  expect(filters?.["projectSlug"]).toEqual({
    description: "Owner and name of a repository.",
    schema: {
      input: { type: "string", description: "The answer of a repository picker: `host?owner=…&repo=…`." },
      output: { type: "string" },
    },
    examples: [
      {
        example: "${{ parameters.repoUrl | projectSlug }}",
        notes: "`git.example.com?owner=sea&repo=fleet` becomes `sea/fleet`.",
      },
    ],
  });
  expect(Object.keys(globals?.["functions"])).toEqual(["always", "failure"]);
  expect(globals?.["values"]).toEqual({});
});

it.each([
  ["/cvs/branches", { token: "t" }, "BUILDER_UNKNOWN_COMPLETION", []],
  ["/github/stars", { token: "t", context: {} }, "BUILDER_UNKNOWN_COMPLETION", []],
  ["/github/owners", {}, "PLATFORM_INPUT", ["/token"]],
])("refuses to propose for %s and %j", async (path, body, code, where) => {
  const answer = await answerOf(
    await fetch(`${server.url}/api/scaffolder/v2/autocomplete${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
  expect([answer.status, answer.body.error.code, problemsOf(answer)]).toEqual([400, code, where]);
});
