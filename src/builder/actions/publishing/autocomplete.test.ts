import { afterEach, beforeEach, expect, it } from "vitest";
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { silentLogger } from "../../../platform/lib/logger.ts";
import { createOutbound, type Outbound } from "../../../platform/outbound/outbound.ts";
import type { Integration } from "../../git/integrations.ts";
import { listProposals } from "./autocomplete.ts";

let server: Server;
let outbound: Outbound;
let integrations: Integration[];
let host: string;
const calls: { url: string; token: string }[] = [];

/** Branches come in two pages; each host answers in its own form. */
function answer(url: URL): unknown {
  const page = Number(url.searchParams.get("page"));
  const branches = Array.from({ length: page === 1 ? 100 : 1 }, (_, n) => ({ name: `b${page}-${n}` }));
  if (url.pathname === "/hub/repos/sea/fleet/branches") return branches;
  if (url.pathname === "/lab/groups") return [{ id: 7, full_path: "sea/north" }];
  if (url.pathname === "/bucket/repositories/sea") return { values: [{ slug: url.searchParams.get("q") }] };
  return null;
}

beforeEach(async () => {
  calls.length = 0;
  server = createServer((request, response) => {
    const { authorization = "", "private-token": own = "" } = request.headers;
    calls.push({ url: request.url ?? "", token: authorization || String(own) });
    const body = answer(new URL(request.url ?? "/", "http://x"));
    response.writeHead(body === null ? 401 : 200).end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  outbound = createOutbound(
    {
      allowedSchemes: ["http"],
      blockedHosts: [],
      allowPrivateNetworks: true,
      maxResponseBytes: 1 << 20,
      timeoutMs: 10_000,
    },
    silentLogger,
  );
  integrations = [
    { kind: "github", host, apiBaseUrl: `http://${host}/hub` },
    { kind: "gitlab", host: "lab.example", apiBaseUrl: `http://${host}/lab` },
    { kind: "bitbucket", host: "bucket.example", apiBaseUrl: `http://${host}/bucket` },
  ];
});
afterEach(async () => {
  await outbound.close();
  server.closeAllConnections();
  server.close();
});

const ask = (provider: string, resource: string, context: Record<string, string>) => {
  const signal = AbortSignal.timeout(20_000);
  return listProposals({ provider, resource, token: "mine", context }, { outbound, integrations, signal });
};

it("asks page after page with the caller's token", async () => {
  const found = await ask("github", "branches", { host, owner: "sea", repository: "fleet" });
  expect([found.length, found[0], found.at(-1)]).toEqual([101, { id: "b1-0" }, { id: "b2-0" }]);
  expect(calls.map(({ token }) => token)).toEqual(["Bearer mine", "Bearer mine"]);
});

it("reads each host's own form", async () => {
  expect(await ask("gitlab", "groups", { host: "lab.example" })).toEqual([{ id: "7", title: "sea/north" }]);
  const context = { host: "bucket.example", workspace: "sea", project: 'A" OR 1="1' };
  expect(await ask("bitbucket-cloud", "repositories", context)).toEqual([{ id: 'project.key="A OR 1=1"' }]);
});

it.each([
  ["an unknown provider", ["cvs", "branches", {}], "Unsupported provider: cvs"],
  ["a name of every object", ["constructor", "x", {}], "Unsupported provider"],
  ["an unknown resource", ["github", "stars", {}], "Invalid resource: stars"],
  ["a context that lacks something", ["github", "branches", { owner: "x" }], "repository"],
  ["a host of another kind", ["github", "owners", { host: "lab.example" }], "configured"],
  ["a host that nobody knows", ["github", "owners", { host: "evil.example" }], "configured"],
] as [string, Parameters<typeof ask>, string][])("refuses %s before any call", async (_case, query, why) => {
  await expect(ask(...query)).rejects.toMatchObject({
    code: "BUILDER_UNKNOWN_COMPLETION",
    message: expect.stringContaining(why),
  });
  expect(calls).toEqual([]);
});

it("says that the host refused", async () => {
  await expect(ask("github", "owners", { host })).rejects.toMatchObject({ code: "BUILDER_HOST_FAILED" });
});
