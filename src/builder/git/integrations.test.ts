import { expect, it } from "vitest";
import { credentialsForApi, readIntegrations, tokenForPage, tokenForRepository } from "./integrations.ts";

const none = { github: [], gitlab: [], azure: [], bitbucket: [], gitea: [], git: [] };
const integrations = readIntegrations({
  ...none,
  github: [{ host: "github.com", token: "hub" }],
  gitlab: [{ host: "lab.test", apiBaseUrl: "http://inside.test/api/v4", token: "lab" }],
  gitea: [{ host: "tea.test:3000", username: "ada", token: "tea" }],
  git: [{ host: "plain.test", username: "git" }],
});

it.each([
  ["https://github.com/o/r.git", undefined, "x-access-token:hub"],
  ["https://github.com/o/r.git", "", "x-access-token:hub"],
  ["https://github.com/o/r.git", "mine", "x-access-token:mine"],
  ["http://github.com/o/r.git", undefined, "withheld"],
  ["http://github.com/o/r.git", "mine", "x-access-token:mine"],
  ["https://lab.test/o/r.git", undefined, "oauth2:lab"],
  ["http://lab.test/o/r.git", undefined, "oauth2:lab"],
  ["http://lab.test:8080/o/r.git", undefined, "none"],
  ["https://tea.test:3000/o/r.git", undefined, "ada:tea"],
  ["http://tea.test:3000/o/r.git", undefined, "withheld"],
  ["http://plain.test/r.git", undefined, "none"],
  ["https://inside.test/o/r.git", undefined, "none"],
  ["https://gitlab.com/o/r.git", "mine", "oauth2:mine"],
  ["https://any.test/o/r.git", "mine", "token:mine"],
  ["https://constructor/o/r.git", "mine", "token:mine"],
])("the repository %s with the token %j of the step gets %s", (address, given, expected) => {
  const { credentials, hint } = tokenForRepository(integrations, new URL(address), given);
  const found = credentials && `${credentials.user}:${credentials.token}`;
  expect(found ?? (hint === null ? "none" : "withheld")).toBe(expected);
});

it.each([
  ["https://github.com/o/r/settings", undefined, { token: undefined, hint: expect.any(String) }],
  ["https://github.com/o/r/settings", "mine", { token: "mine", hint: null }],
  ["https://plain.test/x", "", { token: undefined, hint: null }],
  ["https://any.test/x", undefined, { token: undefined, hint: null }],
])("the page %s with the token %j of the step", (address, given, expected) => {
  expect(tokenForPage(integrations, new URL(address), given)).toEqual(expected);
});

it.each([
  [0, undefined, { user: "x-access-token", token: "hub" }],
  [0, "mine", { user: "x-access-token", token: "mine" }],
  [2, undefined, { user: "ada", token: "tea" }],
  [3, undefined, undefined],
])("the interface of host %i with the token %j of the step", (index, given, expected) => {
  expect(credentialsForApi(integrations[index]!, given)).toEqual(expected);
});
