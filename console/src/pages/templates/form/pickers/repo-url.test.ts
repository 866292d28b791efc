import { expect, it } from "vitest";
import type { Pick } from "../split-schema.ts";
import { partsOf, placeFieldsOf, repoUrlOf, withPart } from "./repo-url.ts";

const pick: Pick = {
  kinds: [],
  filters: [],
  defaultKind: null,
  allowsOthers: true,
  hosts: [],
  owners: ["acme"],
  organizations: [],
  projects: [],
  repositories: [],
};

it.each([
  "github.com?owner=acme&repo=ship",
  "dev.azure.com?organization=acme&project=fleet&repo=ship",
  "bitbucket.org?workspace=acme&project=FLEET&repo=ship",
  "gerrit.example.com?owner=acme&workspace=All-Projects&repo=ship&branch=a&branch=b",
  "ship",
  undefined,
])("%s is the address of its parts", (value) => {
  expect(repoUrlOf(partsOf(value))).toBe(value);
});

it("keeps what is not changed, also what no field shows", () => {
  const parts = partsOf("dev.azure.com?organization=acme&project=fleet&repo=ship&path=a?b");
  expect(repoUrlOf(withPart(parts, "repo", "boat"))).toBe(
    "dev.azure.com?organization=acme&project=fleet&repo=boat&path=a%3Fb",
  );
  expect(repoUrlOf(withPart(parts, "project", ""))).toBe(
    "dev.azure.com?organization=acme&repo=ship&path=a%3Fb",
  );
});

it("has its parts in the same order however they were written", () => {
  const written = withPart(withPart(partsOf("ship"), "project", "fleet"), "organization", "acme");
  expect(repoUrlOf({ ...written, host: "dev.azure.com" })).toBe(
    "dev.azure.com?organization=acme&project=fleet&repo=ship",
  );
});

it("keeps the field of a part that is written anew", () => {
  const emptied = withPart(partsOf("dev.azure.com?owner=fleet&repo=a"), "owner", "");
  expect(placeFieldsOf(emptied, pick).map(({ name }) => name)).toContain("owner");
  expect(repoUrlOf(emptied)).toBe("dev.azure.com?repo=a");
});

it("keeps the parts while the host is written anew", () => {
  const { parameters } = partsOf("github.com?owner=acme&repo=ship");
  expect(repoUrlOf({ host: "", parameters })).toBe("ship");
  expect(repoUrlOf({ host: "gitlab.com", parameters })).toBe("gitlab.com?owner=acme&repo=ship");
});

it.each([
  ["github.com?repo=a", {}, ["Owner: acme"]],
  ["dev.azure.com?repo=a", { organizations: ["o"], projects: ["p"] }, ["Organization: o", "Project: p"]],
  ["DEV.azure.com?repo=a", {}, ["Organization: ", "Project: "]],
  ["bitbucket.org?repo=a", {}, ["Workspace: acme", "Project: "]],
  ["dev.azure.com?owner=fleet&repo=a", {}, ["Owner: acme", "Organization: ", "Project: "]],
  ["azure.example.com?repo=a", { organizations: ["o"] }, ["Owner: acme", "Organization: o"]],
  ["constructor?repo=a", {}, ["Owner: acme"]],
  ["git.example.com?project=p&repo=a", {}, ["Owner: acme", "Project: "]],
])("%s has fields for its place", (value, some, fields) => {
  const shown = placeFieldsOf(partsOf(value), { ...pick, ...some });
  expect(shown.map(({ label, proposals }) => `${label}: ${proposals.join()}`)).toEqual(fields);
});
