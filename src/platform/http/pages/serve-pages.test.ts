import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendRaw, startTestServer, testArea, type RunningServer } from "../../../../test/support/http.ts";
import { route } from "../operation.ts";
import { ask, type Answer } from "../testdata.ts";
import { readPageFolder } from "./read-folder.ts";

const index =
  '<!doctype html><html><head><meta name="csp-nonce" content="__CSP_NONCE__"><meta name="base-path" content="__BASE_PATH__"></head><body><style nonce="__CSP_NONCE__"></style></body></html>';
const script = `console.log("${"plinth ".repeat(200)}");`;
const page = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

const area = testArea(
  (app) => {
    route(app, {
      id: "atRoot",
      method: "POST",
      path: "/things",
      base: "/v1",
      summary: "Only POST",
      rule: "write",
      response: { 200: Type.String() },
      handler: () => "made",
    });
  },
  { aliases: ["/v1"] },
);

let folder = "";
let built: RunningServer;
let unbuilt: RunningServer;
let without: RunningServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plinth-console-"));
  await mkdir(join(folder, "dist/assets"), { recursive: true });
  await writeFile(join(folder, "secret.txt"), "outside of the folder");
  const files: Record<string, string | Buffer> = {
    "index.html": index,
    "favicon.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "assets/index-1a2b3c4d.js": script,
    "assets/index-1a2b3c4d.js.br": brotliCompressSync(script),
    "assets/index-1a2b3c4d.js.gz": gzipSync(script),
    "assets/plain.css": "body { margin: 0; }",
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, "dist", name), text);
  const console = await readPageFolder(join(folder, "dist"));
  built = await startTestServer([area], { console, server: { baseUrl: "https://plinth.example/below/" } });
  unbuilt = await startTestServer([area], { console: await readPageFolder(join(folder, "none")) });
  without = await startTestServer([area]);
});
afterAll(async () => {
  for (const server of [built, unbuilt, without]) await server.close();
  await rm(folder, { recursive: true, force: true });
});

const nonceOf = (answer: Answer): string =>
  /'nonce-([^']+)'/.exec(String(answer.headers["content-security-policy"]))?.[1] ?? "";

describe("a page", () => {
  it("has a nonce of its own answer, a strict policy and the path of the server", async () => {
    const answer = await ask(`${built.url}/units/urn:dmb:dp:sea:ships:0?a=b`, "GET", { headers: page });
    const nonce = nonceOf(answer);
    expect(nonce).toMatch(/^[A-Za-z0-9+/]{24}$/);
    expect(answer.text).toBe(index.replaceAll("__CSP_NONCE__", nonce).replace("__BASE_PATH__", "/below"));
    expect(answer.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy":
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; ` +
        "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": expect.stringContaining("camera=()"),
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
    expect(nonceOf(await ask(`${built.url}/`, "GET", { headers: page }))).not.toBe(nonce);
  });

  it("answers HEAD with the length and no body", async () => {
    const answer = await ask(`${built.url}/plans`, "HEAD", { headers: page });
    expect([answer.status, answer.text]).toEqual([200, ""]);
    expect(Number(answer.headers["content-length"])).toBeGreaterThan(index.length);
  });

  it.each([
    ["below the area", "/api/test/none"],
    ["below another base of the area", "/v1/none"],
    ["below the reference", "/docs/none"],
    ["below the health", "/healthz/none"],
    ["a document of the standard", "/.well-known/none"],
    ["a missing file", "/assets/none-1a2b3c4d.js"],
  ])("is not there for %s", async (_what, path) => {
    const answer = await ask(built.url + path, "GET", { headers: page });
    expect([answer.status, answer.headers["content-type"]]).toEqual([404, "application/json; charset=utf-8"]);
  });

  it("leaves what is there as it is", async () => {
    expect((await ask(`${built.url}/docs`, "GET", { headers: page })).text).toContain(
      "Interfaces of this server",
    );
    expect((await ask(`${built.url}/healthz`, "GET", { headers: page })).text).toBe('{"status":"ok"}');
    expect((await ask(`${built.url}/v1/things`, "GET", { headers: page })).status).toBe(405);
    expect((await ask(`${built.url}/`, "POST", { headers: page })).status).toBe(404);
  });

  it.each([undefined, "*/*", "application/json"])(
    "is none for a program, which accepts %s",
    async (accept) => {
      const headers: Record<string, string> = accept === undefined ? {} : { accept };
      for (const path of ["/", "/units"]) {
        const here = await ask(built.url + path, "GET", { headers });
        const there = await ask(without.url + path, "GET", { headers });
        const { requestId } = (here.body as { error: { requestId: string } }).error;
        expect([here.status, here.text]).toEqual([
          404,
          there.text.replace(/"requestId":"[^"]+"/, `"requestId":"${requestId}"`),
        ]);
      }
    },
  );
});

describe("a file", () => {
  const path = "/assets/index-1a2b3c4d.js";

  it.each([
    ["br", "gzip, br", brotliCompressSync(script).length],
    ["gzip", "gzip", gzipSync(script).length],
    ["gzip", "br;q=0, gzip", gzipSync(script).length],
    [undefined, "identity", script.length],
    [undefined, undefined, script.length],
  ])("is sent as %s to who accepts %s", async (encoding, accepted, length) => {
    const headers: Record<string, string> = accepted === undefined ? {} : { "accept-encoding": accepted };
    const answer = await ask(built.url + path, "GET", { headers });
    expect(answer.headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "content-length": String(length),
      "cache-control": "public, max-age=31536000, immutable",
      vary: "accept-encoding",
      "x-content-type-options": "nosniff",
    });
    expect(answer.headers["content-encoding"]).toBe(encoding);
  });

  it.each(["/favicon.svg", "/assets/plain.css"])(
    "whose name says nothing of its content is asked for again: %s",
    async (name) => {
      const answer = await ask(built.url + name, "GET");
      expect([answer.status, answer.headers["cache-control"]]).toEqual([200, "no-cache"]);
      const headers = { "if-none-match": String(answer.headers["etag"]) };
      for (const each of [headers, { "if-none-match": "*" }]) {
        const again = await ask(built.url + name, "GET", { headers: each });
        expect([again.status, again.text]).toEqual([304, ""]);
      }
    },
  );

  it("answers HEAD", async () => {
    const answer = await ask(built.url + path, "HEAD");
    expect([answer.status, answer.text, answer.headers["content-length"]]).toEqual([
      200,
      "",
      String(script.length),
    ]);
  });

  it.each([
    "/../secret.txt",
    "/assets/../../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/assets/..%5c..%5csecret.txt",
    "//secret.txt",
    "/assets/index-1a2b3c4d.js.br",
    "/index.html",
  ])("is none at %s", async (name) => {
    const answer = await sendRaw(built.port, `GET ${name} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).not.toContain("outside of the folder");
  });
});

describe("a console that was not built", () => {
  it("says so at / with the command that builds it, and is nowhere else", async () => {
    const answer = await ask(`${unbuilt.url}/`, "GET", { headers: page });
    expect([answer.status, answer.headers["cache-control"]]).toEqual([200, "no-store"]);
    expect(answer.text).toContain("npm run build:console");
    expect(answer.text).toContain(`<style nonce="${nonceOf(answer)}">`);
    expect(answer.text).not.toContain("__");
    expect((await ask(`${unbuilt.url}/units`, "GET", { headers: page })).status).toBe(404);
  });

  it("is nothing at all where none is served", async () => {
    expect((await ask(`${without.url}/`, "GET", { headers: page })).status).toBe(404);
  });
});
