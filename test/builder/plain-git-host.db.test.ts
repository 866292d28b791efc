/** A git server of no known kind, which wants a user name of its own beside the token: published to, fetched, registered. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { builtInActions } from "../../src/builder/actions/registry.ts";
import { actionBench, writeFiles, type Bench } from "../../src/builder/actions/testdata.ts";
import { readIntegrations } from "../../src/builder/git/integrations.ts";
import { entityText, startCatalogueFixture, type CatalogueFixture } from "./catalogue-fixture.ts";
import { serveGit } from "./hosts/git-http.ts";
import { startHttpPeer, type HttpPeer } from "../support/http-peer.ts";

const token = "plain-token-0123456789";
const wanted = `Basic ${Buffer.from(`mirror:${token}`).toString("base64")}`;
const integrations = { github: [], gitlab: [], azure: [], bitbucket: [], gitea: [] };

let root: string;
let server: HttpPeer;
let host: string;
let bench: Bench;
let fixture: CatalogueFixture;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "plinth-plain-git-"));
  await promisify(execFile)("git", ["init", "-q", "--bare", "-b", "main", join(root, "deep/down/ship.git")]);
  server = await startHttpPeer((request, response) => {
    if (request.headers.authorization === wanted) serveGit(root, request, response);
    else response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
  });
  host = `127.0.0.1:${server.port}`;
  // The settings have no such address for these hosts, since they are called over https; here there is no certificate.
  const git = [{ host, apiBaseUrl: server.url, username: "mirror", token }];
  bench = await actionBench({ integrations: readIntegrations({ ...integrations, git }) });
  fixture = await startCatalogueFixture({
    onConfig(config) {
      config.integrations.git = git;
    },
  });
});
afterAll(async () => {
  await fixture.close();
  await bench.close();
  await server.close();
  await rm(root, { recursive: true, force: true });
});

it("shows the configured user name to publish, to fetch and to register", async () => {
  const actionOf = (id: string) => builtInActions.find((action) => action.id === id)!;
  const repoUrl = `http://${host}/deep/down/ship.git`;
  await writeFiles(bench.workspace, { "catalog-info.yaml": entityText("Domain", "plain") });
  await bench.run(actionOf("publish:git"), { repoUrl });
  const fetched = bench.run(actionOf("fetch:plain"), {
    url: `${repoUrl}/blob/main/`,
    targetPath: "again",
  });
  expect((await fetched).outputs).toEqual({});
  const body = { type: "git", target: repoUrl };
  const registered = await fixture.catalog({ method: "POST", path: "/locations", body });
  expect([registered.status, registered.body.entities?.[0]?.metadata.name]).toEqual([201, "plain"]);
});

it("is refused without them", async () => {
  const otherBench = await actionBench();
  await writeFiles(otherBench.workspace, { a: "" });
  const publish = builtInActions.find((action) => action.id === "publish:git")!;
  const repoUrl = `http://${host}/deep/down/ship.git`;
  await expect(otherBench.run(publish, { repoUrl })).rejects.toMatchObject({ code: expect.any(String) });
  await otherBench.close();
});
