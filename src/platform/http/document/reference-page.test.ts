import { createHash } from "node:crypto";
import { Type } from "typebox";
import { request } from "undici";
import { expect, it } from "vitest";
import { startTestServer, testArea } from "../../../../test/support/http.ts";
import { techAdapterDocument } from "../../../reference/tech-adapter.ts";
import { route } from "../operation.ts";

const hostile = '<script src="//evil.example"></script> & "quoted"';

const area = testArea(
  (app) =>
    route(app, {
      id: "getThing",
      method: "GET",
      path: "/v1/things/{id}",
      summary: hostile,
      description: `Has \`code\` and ${hostile}`,
      tags: ["Things"],
      rule: "read",
      response: {
        200: Type.Object({ name: Type.String({ description: hostile }), kind: Type.Enum(["a", "b"]) }),
      },
      handler: () => undefined,
    }),
  {
    tags: [{ name: "Things", description: "What there is." }],
    schemaNames: { Thing: "getThing 200" },
    exampleValues: { name: hostile, id: "t1" },
  },
);

const onlyGuests = {
  authenticate: () => {
    throw new Error("the page is public");
  },
  authorize: () => undefined,
  hasRule: () => true,
  isPublic: () => false,
};

it("is served without a token, from the same text as the document, and runs and loads nothing", async () => {
  await using server = await startTestServer([area], { access: onlyGuests });
  const index = await request(`${server.url}/docs`);
  expect(await index.body.text()).toContain('<a href="docs/test">Test</a>');
  const answer = await request(`${server.url}/docs/test`);
  const page = await answer.body.text();
  expect(answer.headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  });
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  expect(answer.headers["content-security-policy"]).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  expect(page).not.toMatch(/<script|<link|<img|<iframe|\sstyle=|\son\w+=|@import|url\(/);
  expect(page.match(/https?:/g)).toBeNull();
  expect(page).toContain('<article id="getThing">');
  expect(page).toContain('<a href="#schema-Thing">Thing</a>');
  expect(page).toContain('<article id="schema-Thing">');
  expect(page).toContain("<code>code</code>");
  expect(page).toContain("&lt;script src=&quot;//evil.example&quot;&gt;");
  // Every link within the page leads somewhere on it.
  const anchors = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(links.filter((id) => !anchors.has(id))).toEqual([]);
  const document = await request(new URL("../api/test/openapi.json", `${server.url}/docs/test`));
  expect(document.statusCode).toBe(200);
});

it("shows a document of an interface that others offer, and gives the document", async () => {
  await using server = await startTestServer([area], {
    access: onlyGuests,
    otherDocuments: [techAdapterDocument],
  });
  const index = await request(`${server.url}/docs`);
  expect(await index.body.text()).toContain('<a href="docs/tech-adapter">Tech adapter</a>');
  const page = await (await request(`${server.url}/docs/tech-adapter`)).body.text();
  expect(page).toContain('<article id="provision">');
  const anchors = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(links.filter((id) => !anchors.has(id))).toEqual([]);
  const [, href] = /<a href="([^"]+)">OpenAPI document/.exec(page) ?? [];
  const document = await request(new URL(href!, `${server.url}/docs/tech-adapter`));
  expect(await document.body.json()).toEqual(techAdapterDocument.document);
  const posted = await request(`${server.url}/docs/tech-adapter/openapi.json`, { method: "POST" });
  expect([posted.statusCode, posted.headers["allow"]]).toEqual([405, "GET, HEAD"]);
});

it("answers other methods with what is allowed, and unknown pages with 404", async () => {
  await using server = await startTestServer([area], { access: onlyGuests });
  const posted = await request(`${server.url}/docs/test`, { method: "POST" });
  expect([posted.statusCode, posted.headers["allow"]]).toEqual([405, "GET, HEAD"]);
  const head = await request(`${server.url}/docs`, { method: "HEAD" });
  expect(head.statusCode).toBe(200);
  const unknown = await request(`${server.url}/docs/none`);
  expect(unknown.statusCode).toBe(404);
});
