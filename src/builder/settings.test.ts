import { expect, it } from "vitest";
import type { Config } from "../platform/config/schema/schema.ts";
import { loadConfig } from "../platform/config/load.ts";
import { builderSettings } from "./settings.ts";

const withSecrets = (secret: string): Config => {
  const { config } = loadConfig({ files: [], env: {}, cwd: "/" });
  config.integrations.github = [{ host: "github.com", token: secret }];
  config.actionHandlers.deployment.hooks[0]!.secret = secret;
  return config;
};

it("hooks and Git hosts have the secrets of the present configuration, and all else those of the start", () => {
  let current = withSecrets("one");
  const settings = builderSettings(current, () => current);
  const secrets = () => [
    settings.integrations[0]?.token,
    settings.actionHandlers.deployment.hooks[0]?.secret,
  ];
  expect(secrets()).toEqual(["one", "one"]);
  const before = settings.integrations;
  expect(settings.integrations).toBe(before);
  current = { ...withSecrets("two"), dataDir: "/elsewhere" };
  expect(secrets()).toEqual(["two", "two"]);
  expect(settings.dataDir).not.toContain("elsewhere");
});
