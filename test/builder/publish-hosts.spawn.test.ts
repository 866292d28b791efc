/** Publishing to hosts: their interfaces over real HTTP, and real pushes. */
import { describe, expect, it } from "vitest";
import {
  actionOf,
  bench,
  hosts,
  inputOf,
  kinds,
  open,
  places,
  testRepeatedAttempts,
  useHosts,
} from "./hosts/publishing.ts";

useHosts();

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

/** The other hosts have these in `npm run test:nightly`. */
describe("publish:github", () => testRepeatedAttempts("github"));

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
