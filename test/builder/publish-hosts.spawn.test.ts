/** Publishing to hosts: their interfaces over real HTTP, and real pushes. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readIntegrations } from "../../src/builder/git/integrations.ts";
import { builtInActions } from "../../src/builder/actions/registry.ts";
import { actionBench, writeFiles, type Bench } from "../../src/builder/actions/testdata.ts";
import type { Action } from "../../src/builder/actions/action.ts";
import { hostToken, startFakeHosts, type FakeHosts } from "./hosts/fake-hosts.ts";

let hosts: FakeHosts;
let bench: Bench;

const kinds = ["github", "gitlab", "azure", "bitbucket", "gitea"] as const;
type Kind = (typeof kinds)[number];

const actionOf = (kind: Kind): Action => builtInActions.find(({ id }) => id === `publish:${kind}`)!;

/** What the host is asked for, and the name it goes by. */
const places: Record<Kind, { query: string; name: string; contents: string }> = {
  github: { query: "owner=acme&repo=ship", name: "acme/ship", contents: "/acme/ship/blob/main" },
  gitlab: {
    query: "owner=acme%2Fdata&repo=ship",
    name: "acme/data/ship",
    contents: "/acme/data/ship/-/blob/main",
  },
  azure: {
    query: "organization=acme&owner=sea&repo=ship",
    name: "acme/sea/ship",
    contents: "/acme/sea/ship.git",
  },
  bitbucket: {
    query: "workspace=acme&project=SEA&repo=ship",
    name: "acme/ship",
    contents: "/acme/ship/src/main",
  },
  gitea: { query: "owner=acme&repo=ship", name: "acme/ship", contents: "/acme/ship/src/branch/main" },
};

/** One host of the server for each test: they all have the same name. */
async function open(kind: Kind): Promise<void> {
  const entry = { host: hosts.host, apiBaseUrl: `${hosts.url}/${kind}`, token: hostToken };
  const none = { github: [], gitlab: [], azure: [], bitbucket: [], gitea: [], git: [] };
  bench = await actionBench({ integrations: readIntegrations({ ...none, [kind]: [entry] }) });
  await writeFiles(bench.workspace, { "catalog-info.yaml": "kind: Component\n", "src/main.sql": "select 1" });
}

const inputOf = (kind: Kind): Record<string, unknown> => ({
  repoUrl: `${hosts.host}?${places[kind].query}`,
  allowedHosts: [hosts.host],
  description: "A ship",
  rootDirectory: ".",
  dataproduct: "system:default/sea.fleet.0",
});

beforeEach(async () => void (hosts = await startFakeHosts()));
afterEach(async () => {
  await bench.close();
  await hosts.close();
});

describe.each(kinds)("publish:%s", (kind) => {
  const { name, contents } = places[kind];

  it("makes the repository and pushes the workspace", async () => {
    await open(kind);
    const { outputs, said } = await bench.run(actionOf(kind), inputOf(kind));
    expect(said.join()).not.toContain("without effect");
    expect(outputs).toEqual({
      remoteUrl: `${hosts.url}/${name}.git`,
      repoContentsUrl: hosts.url + contents,
      commitHash: expect.stringMatching(/^[0-9a-f]{40}$/),
      parentRef: "system:default/sea.fleet.0",
    });
    expect(await hosts.readBranch(name, "main")).toEqual(["catalog-info.yaml", "src/main.sql"]);
  });

  it("names the inputs that have no effect", async () => {
    await open(kind);
    const more = { protectDefaultBranch: true, collaborators: [{ team: "sea", access: "push" }] };
    const { said } = await bench.run(actionOf(kind), { ...inputOf(kind), ...more });
    expect(said[0]).toBe(
      "Inputs without effect, which this action does not know: protectDefaultBranch, collaborators.",
    );
  });

  it("leaves alone what was there before, also when a retry finds it", async () => {
    await open(kind);
    await hosts.make(name);
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(bench.run(actionOf(kind), inputOf(kind))).rejects.toMatchObject({
        code: "BUILDER_REPOSITORY_EXISTS",
      });
    }
    expect(hosts.repositories.has(name)).toBe(true);
    expect(hosts.calls.filter((call) => /DELETE|POST/.test(call))).toEqual([]);
  });

  it("removes what it made when the push fails, and a retry publishes", async () => {
    await open(kind);
    hosts.faults.push({ match: /POST .*git-receive-pack$/, status: 403 });
    await expect(bench.run(actionOf(kind), inputOf(kind))).rejects.toMatchObject({
      code: "BUILDER_GIT_FAILED",
    });
    expect(hosts.repositories.has(name)).toBe(false);
    const { outputs } = await bench.run(actionOf(kind), inputOf(kind));
    expect(outputs["remoteUrl"]).toBe(`${hosts.url}/${name}.git`);
    expect(await hosts.readBranch(name, "main")).toEqual(["catalog-info.yaml", "src/main.sql"]);
  });

  it("goes on with what an attempt made whose answer was lost", async () => {
    await open(kind);
    hosts.faults.push({
      match: kind === "github" || kind === "gitea" ? /POST .*\/repos$/ : /POST (?!.*receive-pack)/,
      status: 0,
      after: true,
    });
    await expect(bench.run(actionOf(kind), inputOf(kind))).rejects.toMatchObject({
      code: "BUILDER_HOST_FAILED",
    });
    expect(hosts.repositories.has(name)).toBe(true);
    await bench.run(actionOf(kind), inputOf(kind));
    expect(await hosts.readBranch(name, "main")).toEqual(["catalog-info.yaml", "src/main.sql"]);
  });

  it("does not remove what somebody else has made between two attempts", async () => {
    await open(kind);
    const create = kind === "github" || kind === "gitea" ? /POST .*\/repos$/ : /POST (?!.*receive-pack)/;
    hosts.faults.push({ match: create, status: 500 });
    await expect(bench.run(actionOf(kind), inputOf(kind))).rejects.toMatchObject({
      code: "BUILDER_HOST_FAILED",
    });
    await hosts.make(name, {}, "theirs.txt");
    await expect(bench.run(actionOf(kind), inputOf(kind))).rejects.toMatchObject({
      code: "BUILDER_REPOSITORY_EXISTS",
    });
    expect(await hosts.readBranch(name, "main")).toEqual(["theirs.txt"]);
  });

  it("publishes the same commit again after a crash behind the push", async () => {
    await open(kind);
    const first = await bench.run(actionOf(kind), inputOf(kind));
    const later = { now: () => new Date("2026-09-09T09:09:09Z") };
    const second = await bench.run(actionOf(kind), inputOf(kind), later);
    expect(second.outputs).toEqual(first.outputs);
  });

  it("tells what the host says, without the token", async () => {
    await open(kind);
    const failure = await bench
      .run(actionOf(kind), { ...inputOf(kind), token: "wrong-token-canary-987" })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: "BUILDER_HOST_FAILED",
      message: expect.stringContaining("401: Bad credentials"),
    });
    expect(String((failure as Error).stack)).not.toContain("canary");
  });
});

it.each([
  ["github", { repoUrl: "HOST?repo=ship" }, "lacks an `owner`"],
  ["azure", { repoUrl: "HOST?organization=a&repo=ship" }, "lacks an `organization` and a `project`"],
  ["bitbucket", { repoUrl: "HOST?repo=ship" }, "lacks a `workspace`"],
  ["gitlab", { repoUrl: "other.example?owner=a&repo=ship" }, "not configured under integrations.gitlab"],
  ["gitlab", { repoUrl: "ship" }, "needs a `repoUrl` of the form"],
  ["github", { repoUrl: "HOST?owner=a&repo=..%2Fx" }, "no path may hold"],
  [
    "github",
    { repoUrl: "HOST?owner=acme&repo=ship", allowedHosts: ["x.example"] },
    "not among `allowedHosts`",
  ],
] as const)("publish:%s refuses %j", async (kind, input, why) => {
  await open(kind);
  const repoUrl = input.repoUrl.replace("HOST", hosts.host);
  await expect(bench.run(actionOf(kind), { ...input, repoUrl })).rejects.toMatchObject({
    code: "BUILDER_ACTION_INPUT",
    message: expect.stringContaining(why),
  });
  expect(hosts.calls).toEqual([]);
});

it("an organization of GitHub may have internal repositories, a user none", async () => {
  await open("github");
  await bench.run(actionOf("github"), { ...inputOf("github"), repoVisibility: "internal" });
  expect(hosts.repositories.get("acme/ship")).toMatchObject({ visibility: "internal", private: true });
  await bench.run(actionOf("github"), {
    repoUrl: `${hosts.host}?owner=ada&repo=boat`,
    repoVisibility: "public",
  });
  expect(hosts.repositories.get("ada/boat")).toEqual({
    name: "boat",
    description: "",
    private: false,
    default_branch: "main",
  });
});

it("a cancelled step removes what it made", async () => {
  await open("gitlab");
  const stop = new AbortController();
  const say = (message: string): void => {
    if (message.startsWith("Made the repository")) stop.abort(new Error("cancelled"));
  };
  const run = bench.run(actionOf("gitlab"), inputOf("gitlab"), { signal: stop.signal, say });
  await expect(run).rejects.toThrow("cancelled");
  expect(hosts.repositories.size).toBe(0);
});

it("leaves what it made to the attempt that has taken the task over", async () => {
  await open("gitlab");
  const stop = new AbortController();
  const say = (message: string): void => {
    if (message.startsWith("Made the repository")) stop.abort(new Error("taken over"));
  };
  const run = bench.run(actionOf("gitlab"), inputOf("gitlab"), {
    signal: stop.signal,
    say,
    undo: async () => false,
  });
  await expect(run).rejects.toThrow("taken over");
  expect(hosts.repositories.size).toBe(1);
  expect(hosts.calls.filter((call) => call.startsWith("DELETE"))).toEqual([]);
});
