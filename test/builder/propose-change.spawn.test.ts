/** Pull and merge requests: the interfaces of the hosts over real HTTP, and real pushes. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Action } from "../../src/builder/actions/action.ts";
import { builtInActions } from "../../src/builder/actions/registry.ts";
import { actionBench, writeFiles, type Bench } from "../../src/builder/actions/testdata.ts";
import { readIntegrations } from "../../src/builder/git/integrations.ts";
import { hostToken, startFakeHosts, type FakeHosts } from "./hosts/fake-hosts.ts";

let hosts: FakeHosts;
let bench: Bench;

const none = { github: [], gitlab: [], azure: [], bitbucket: [], gitea: [], git: [] };
const actionOf = (id: string): Action => builtInActions.find((action) => action.id === id)!;

async function open(kind: "github" | "gitlab"): Promise<void> {
  const entry = { host: hosts.host, apiBaseUrl: `${hosts.url}/${kind}`, token: hostToken };
  bench = await actionBench({ integrations: readIntegrations({ ...none, [kind]: [entry] }) });
  await writeFiles(bench.workspace, { "new.sql": "select 1", "docs/a.md": "a" });
  await hosts.make("acme/ship", {}, "theirs.txt");
}

beforeEach(async () => void (hosts = await startFakeHosts()));
afterEach(async () => {
  await bench.close();
  await hosts.close();
});

const input = (more: object = {}): Record<string, unknown> => ({
  repoUrl: `${hosts.host}?owner=acme&repo=ship`,
  branchName: "change/one",
  title: "One change",
  description: "What it is for",
  ...more,
});

describe("publish:github:pull-request", () => {
  const pull = actionOf("publish:github:pull-request");

  it("pushes a branch on top of the default branch and opens a request", async () => {
    await open("github");
    const more = { draft: true, reviewers: ["ada"], teamReviewers: ["crew"], assignees: ["bob"] };
    const { outputs } = await bench.run(pull, input({ ...more, targetPath: "below" }));
    expect(outputs).toEqual({
      remoteUrl: `${hosts.url}/acme/ship/pull/1`,
      pullRequestNumber: 1,
      targetBranchName: "main",
      commitHash: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    expect(await hosts.readBranch("acme/ship", "change/one")).toEqual([
      "below/docs/a.md",
      "below/new.sql",
      "theirs.txt",
    ]);
    expect(await hosts.readBranch("acme/ship", "main")).toEqual(["theirs.txt"]);
    expect(hosts.changes).toEqual([
      { title: "One change", body: "What it is for", head: "change/one", base: "main", draft: true },
      { reviewers: ["ada"], team_reviewers: ["crew"], path: "/repos/acme/ship/pulls/1/requested_reviewers" },
      { assignees: ["bob"], path: "/repos/acme/ship/issues/1/assignees" },
    ]);
  });

  it("finds its branch and its request again when the step is repeated", async () => {
    await open("github");
    const first = await bench.run(pull, input());
    const second = await bench.run(pull, input());
    expect(second.outputs).toEqual(first.outputs);
    expect(hosts.changes).toHaveLength(1);
  });

  it("removes files, and replaces a branch only when it may", async () => {
    await open("github");
    await bench.run(pull, input());
    await bench.close();
    const entry = { host: hosts.host, apiBaseUrl: `${hosts.url}/github`, token: hostToken };
    bench = await actionBench({ integrations: readIntegrations({ ...none, github: [entry] }) });
    await writeFiles(bench.workspace, { "other.sql": "select 2" });
    await expect(bench.run(pull, input())).rejects.toMatchObject({ code: "BUILDER_BRANCH_EXISTS" });
    await bench.run(pull, input({ update: true, filesToDelete: ["theirs.txt"] }));
    expect(await hosts.readBranch("acme/ship", "change/one")).toEqual(["other.sql"]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    [
      "a repository that is not there",
      { repoUrl: "HOST?owner=acme&repo=none" },
      "BUILDER_REPOSITORY_NOT_FOUND",
    ],
    ["the branch that it is for", { branchName: "main" }, "BUILDER_ACTION_INPUT"],
    ["no name of a branch", { branchName: "--force" }, "BUILDER_ACTION_INPUT"],
    ["a path that climbs", { targetPath: "../x" }, "BUILDER_ACTION_INPUT"],
    ["git's own folder", { filesToDelete: [".git/config"] }, "BUILDER_ACTION_INPUT"],
    ["a base that is not there", { targetBranchName: "none" }, "BUILDER_GIT_FAILED"],
  ])("refuses %s", async (_case, changed, code) => {
    await open("github");
    const given = input(changed);
    const repoUrl = String(given["repoUrl"]).replace("HOST", hosts.host);
    await expect(bench.run(pull, { ...given, repoUrl })).rejects.toMatchObject({ code });
    expect(hosts.changes).toEqual([]);
  });

  it("says so when nothing would change", async () => {
    await open("github");
    const first = input({ branchName: "same" });
    await bench.run(pull, first);
    await expect(
      bench.run(pull, input({ targetBranchName: "same", branchName: "again" })),
    ).rejects.toMatchObject({ message: expect.stringContaining("nothing to propose") });
  });
});

it("publish:gitlab:merge-request pushes a branch and opens a request for people by their names", async () => {
  await open("gitlab");
  const more = { assignee: "ada", reviewers: ["ada", "nobody"], labels: ["x"], removeSourceBranch: true };
  const merge = actionOf("publish:gitlab:merge-request");
  const { outputs } = await bench.run(merge, input(more));
  expect(outputs).toEqual({
    mergeRequestUrl: `${hosts.url}/-/merge_requests/1`,
    projectid: "acme/ship",
    projectPath: "acme/ship",
    targetBranchName: "main",
    commitHash: expect.any(String),
  });
  expect(hosts.changes).toEqual([
    {
      source_branch: "change/one",
      target_branch: "main",
      title: "One change",
      description: "What it is for",
      remove_source_branch: true,
      assignee_ids: [7],
      reviewer_ids: [7],
      labels: ["x"],
    },
  ]);
  expect(await hosts.readBranch("acme/ship", "change/one")).toEqual(["docs/a.md", "new.sql", "theirs.txt"]);
  expect((await bench.run(merge, input(more))).outputs).toEqual(outputs);
});
