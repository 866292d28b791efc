import { describe, expect, it } from "vitest";
import { planReload, reloadableSettings } from "./reloadable.ts";
import type { Config } from "./schema/schema.ts";
import { inspect } from "./testdata.ts";

const key = (byte: number): string => Buffer.alloc(32, byte).toString("base64");

const config = (settings: object): Config => {
  const { config: read, problems } = inspect(JSON.stringify(settings));
  expect(problems).toEqual([]);
  return read;
};

const tokens = (...names: string[]) => ({
  tokens: names.map((name) => ({ name, secret: `${name}-0123456789abcdef`, roles: ["viewer"] })),
});
const service = (environment: string, ...names: string[]) => ({
  providers: { service: { [environment]: tokens(...names) } },
});

it("the settings that a running process takes", () => {
  expect(reloadableSettings).toEqual([
    "log.level",
    "mesh.builder.instantiations.secretKey",
    "mesh.builder.instantiations.formerSecretKeys",
    "integrations.github[].token",
    "integrations.gitlab[].token",
    "integrations.azure[].token",
    "integrations.bitbucket[].token",
    "integrations.gitea[].token",
    "integrations.git[].token",
    "auth.providers.service.<environment>.tokens",
    "auth.providers.service.<environment>.hmac",
    "auth.providers.oidc.<environment>.browser.clientSecret",
    "database.coordinator.password",
    "database.governance.password",
    "adapters.secret",
    "adapters.formerSecret",
    "actionHandlers.accessRequest.hooks[].headers",
    "actionHandlers.accessRequest.hooks[].secret",
    "actionHandlers.deployment.hooks[].headers",
    "actionHandlers.deployment.hooks[].secret",
    "assistant.mcpServers[].env",
    "assistant.mcpServers[].headers",
    "assistant.mcpServers[].token",
    "assistant.mcpServers[].clientCredentials.clientSecret",
    "assistant.mcpServers[].userIdentity.secret",
    "coordinator.accessSync.secret",
    "coordinator.webhooks[].secrets",
    "notices.mail.ca",
    "notices.mail.user",
    "notices.mail.password",
    "notices.chats[].webhookUrl",
    "marketplace-compliant-services.services[].secret",
    "provisioning-coordinator.depends-on.marketplace-proxy.secret",
  ]);
});

describe("planReload", () => {
  it("finds nothing in a configuration that was only read again", () => {
    const settings = { log: { level: "warn" }, auth: service("default", "ci"), server: { port: 1 } };
    const started = config(settings);
    const plan = planReload(started, config(settings));
    expect(plan).toEqual({ config: started, changed: [], needRestart: [] });
  });

  it("takes what can be taken, names the rest, and changes neither of the two", () => {
    const started = config({
      server: { port: 1, admission: { queueMs: 7 } },
      auth: service("default", "ci"),
      mesh: { builder: { instantiations: { secretKey: key(1) } } },
    });
    const before = structuredClone(started);
    const next = config({
      server: { port: 2, admission: { queueMs: 8 } },
      log: { level: "debug", pretty: true },
      auth: service("default", "cd", "other"),
      adapters: { secret: "a-new-one", formerSecret: "an-old-one" },
      mesh: { builder: { instantiations: { secretKey: key(2), formerSecretKeys: [key(1)] } } },
    });
    const plan = planReload(started, next);
    expect(plan.changed.toSorted()).toEqual([
      "adapters.formerSecret",
      "adapters.secret",
      "auth.providers.service.default.tokens",
      "log.level",
      "mesh.builder.instantiations.formerSecretKeys",
      "mesh.builder.instantiations.secretKey",
    ]);
    expect(plan.needRestart.toSorted()).toEqual(["log.pretty", "server.admission.queueMs", "server.port"]);
    expect(started).toEqual(before);
    expect(plan.config.server).toEqual(started.server);
    expect(plan.config.log).toEqual({ ...started.log, level: "debug" });
    expect(plan.config.auth).toEqual(next.auth);
    expect(plan.config.adapters).toEqual(next.adapters);
    expect(plan.config.mesh.builder).toEqual(next.mesh.builder);
    // What was taken is not news a second time; what needs a restart still is.
    expect(planReload(plan.config, next)).toMatchObject({ changed: [], needRestart: plan.needRestart });
  });

  it("takes what was removed away", () => {
    const started = config({
      adapters: { secret: "one", formerSecret: "other" },
      auth: { providers: { service: { default: { ...tokens("ci"), hmac: { secret: "s".repeat(32) } } } } },
    });
    const next = config({ auth: service("default", "ci") });
    const plan = planReload(started, next);
    expect(plan.config).toEqual(next);
    expect([...plan.changed, ...plan.needRestart].toSorted()).toEqual([
      "adapters.formerSecret",
      "adapters.secret",
      "auth.providers.service.default.hmac",
    ]);
    expect(plan.needRestart).toEqual([]);
  });

  it("takes a password of the mail server, and leaves a new mail server to a restart", () => {
    const mail = { host: "mail.example", from: "a@example.org", user: "plinth", password: "one" };
    const [none, before, after] = [{}, { mail }, { mail: { ...mail, password: "two" } }].map((notices) =>
      config({ server: { baseUrl: "https://plinth.example" }, notices }),
    );
    const changed = planReload(before!, after!);
    expect([changed.changed, changed.needRestart]).toEqual([["notices.mail.password"], []]);
    expect(changed.config.notices).toEqual(after!.notices);
    for (const [from, to] of [
      [none, after],
      [after, none],
    ] as const) {
      const plan = planReload(from!, to!);
      expect([plan.config, plan.changed]).toEqual([from, []]);
      expect(plan.needRestart).toContain("notices.mail.password");
    }
  });

  it("takes the secrets of a list's items, and leaves a list that differs in more to a restart", () => {
    const webhook = (name: string, secret: string) => ({
      name,
      url: `https://${name}.example/events`,
      secrets: [`whsec_${secret.repeat(32)}`],
    });
    const withHooks = (...webhooks: object[]) => config({ coordinator: { webhooks } });
    const started = withHooks(webhook("one", "a"), webhook("two", "b"));
    const rotated = withHooks(webhook("one", "a"), webhook("two", "c"));
    const plan = planReload(started, rotated);
    expect(plan).toEqual({ config: rotated, changed: ["coordinator.webhooks[1].secrets"], needRestart: [] });
    expect(started.coordinator.webhooks[1]?.secrets).toEqual([`whsec_${"b".repeat(32)}`]);
    for (const other of [
      // Reordered: compared by position, each webhook would get the secret of the other.
      withHooks(webhook("two", "b"), webhook("one", "a")),
      withHooks(webhook("one", "c")),
      withHooks(webhook("one", "c"), { ...webhook("two", "b"), url: "https://other.example/events" }),
    ])
      expect(planReload(started, other)).toEqual({
        config: started,
        changed: [],
        needRestart: ["coordinator.webhooks"],
      });
  });

  it("takes a password of the database", () => {
    const withPassword = (password: string) =>
      config({ database: { coordinator: { host: "db.example", user: "plinth", password } } });
    const plan = planReload(withPassword("one"), withPassword("two"));
    expect(plan).toMatchObject({ changed: ["database.coordinator.password"], needRestart: [] });
    expect(plan.config.database.coordinator.password).toBe("two");
  });

  it("takes what an item has newly and what it has no longer", () => {
    const hosts = (...github: object[]) => config({ integrations: { github } });
    const [without, given] = [hosts({ host: "github.com" }), hosts({ host: "github.com", token: "one" })];
    for (const [from, to] of [
      [without, given],
      [given, without],
    ] as const)
      expect(planReload(from, to)).toEqual({
        config: to,
        changed: ["integrations.github[0].token"],
        needRestart: [],
      });
  });

  it("takes no token of another auth.environment", () => {
    const started = config({ auth: service("default", "ci") });
    const next = config({ auth: { environment: "prod", ...service("prod", "cd") } });
    const plan = planReload(started, next);
    expect(plan.config.auth).toEqual(started.auth);
    expect(plan.needRestart.toSorted()).toEqual([
      "auth.environment",
      "auth.providers.service.default.tokens",
      "auth.providers.service.prod.tokens",
    ]);
  });
});
