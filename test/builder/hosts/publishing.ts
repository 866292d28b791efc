/** A host of each kind to publish to, and what has to hold of a publication whose attempts end half-way. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { readIntegrations } from "../../../src/builder/git/integrations.ts";
import { builtInActions } from "../../../src/builder/actions/registry.ts";
import { actionBench, writeFiles, type Bench } from "../../../src/builder/actions/testdata.ts";
import type { Action } from "../../../src/builder/actions/action.ts";
import { hostToken, startFakeHosts, type FakeHosts } from "./fake-hosts.ts";

export let hosts: FakeHosts;
export let bench: Bench;

export const kinds = ["github", "gitlab", "azure", "bitbucket", "gitea"] as const;
export type Kind = (typeof kinds)[number];

export const actionOf = (kind: Kind): Action => builtInActions.find(({ id }) => id === `publish:${kind}`)!;

/** What the host is asked for, and the name it goes by. */
export const places: Record<Kind, { query: string; name: string; contents: string }> = {
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
export async function open(kind: Kind): Promise<void> {
  const entry = { host: hosts.host, apiBaseUrl: `${hosts.url}/${kind}`, token: hostToken };
  const none = { github: [], gitlab: [], azure: [], bitbucket: [], gitea: [], git: [] };
  bench = await actionBench({ integrations: readIntegrations({ ...none, [kind]: [entry] }) });
  await writeFiles(bench.workspace, { "catalog-info.yaml": "kind: Component\n", "src/main.sql": "select 1" });
}

export const inputOf = (kind: Kind): Record<string, unknown> => ({
  repoUrl: `${hosts.host}?${places[kind].query}`,
  allowedHosts: [hosts.host],
  description: "A ship",
  rootDirectory: ".",
  dataproduct: "system:default/sea.fleet.0",
});

/** Each test of the file gets hosts of its own. */
export function useHosts(): void {
  beforeEach(async () => void (hosts = await startFakeHosts()));
  afterEach(async () => {
    await bench.close();
    await hosts.close();
  });
}

export function testRepeatedAttempts(kind: Kind): void {
  const { name } = places[kind];

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
}
