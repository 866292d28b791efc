import { describe, expect, it } from "vitest";
import { planReload, reloadableSettings, wholeSections } from "./reloadable.ts";
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
      expect(plan.needRestart).toContain("notices.mail");
    }
  });

  const provider = (issuer: string, clientSecret: string, more: object = {}, name = "oidc") => ({
    auth: {
      providers: {
        service: service("default", "ci").providers.service,
        [name]: {
          default: {
            issuer,
            audience: "plinth",
            browser: { clientId: "console", scopes: ["openid"], clientSecret },
            ...more,
          },
        },
      },
    },
  });
  const mailOf = (host: string, password: string) => ({
    server: { baseUrl: "https://plinth.example" },
    notices: { mail: { host, from: "a@example.org", user: "plinth", password } },
  });
  const databaseOf = (host: string, password: string) => ({
    database: { coordinator: { host, user: "plinth", password } },
  });
  const syncOf = (url: string, secret: string) => ({ coordinator: { accessSync: { url, secret } } });
  const proxyOf = (url: string, secret: string) => ({
    "provisioning-coordinator": { "depends-on": { "marketplace-proxy": { "base-url": url, secret } } },
  });
  it.each([
    [
      "auth.providers.oidc.default",
      provider("https://one.example", "1"),
      provider("https://two.example", "2"),
    ],
    [
      "auth.providers.oidc.default",
      provider("https://one.example", "1"),
      provider("https://one.example", "2", {
        metadataUrl: "https://two.example/.well-known/openid-configuration",
      }),
    ],
    [
      "auth.providers.okta.default",
      provider("https://one.example", "1", {}, "okta"),
      provider("https://two.example", "2", {}, "okta"),
    ],
    ["notices.mail", mailOf("one.example", "1"), mailOf("two.example", "2")],
    ["database", databaseOf("one.example", "1"), databaseOf("two.example", "2")],
    [
      "database",
      { database: { coordinator: { host: "one.example" }, governance: { password: "1" } } },
      { database: { coordinator: { host: "two.example" }, governance: { password: "2" } } },
    ],
    ["coordinator.accessSync", syncOf("https://one.example", "1"), syncOf("https://two.example", "2")],
    [
      "marketplace-compliant-services.services",
      proxyOf("https://one.example", "1"),
      proxyOf("https://two.example", "2"),
    ],
  ])("takes no secret of %s for the former address when both differ", (name, before, after) => {
    const started = config(before);
    const plan = planReload(started, config(after));
    expect(plan).toMatchObject({ config: started, changed: [] });
    expect(plan.needRestart).toContain(name);
    expect(plan.needRestart.filter((each) => each.startsWith(`${name}.`))).toEqual([]);
  });

  it("takes the client's secret of a provider, and fixed tokens beside another provider", () => {
    const started = config(provider("https://one.example", "1"));
    const rotated = config(provider("https://one.example", "2"));
    expect(planReload(started, rotated)).toEqual({
      config: rotated,
      changed: ["auth.providers.oidc.default.browser.clientSecret"],
      needRestart: [],
    });
    const next = provider("https://two.example", "2");
    next.auth.providers.service.default = tokens("cd");
    const plan = planReload(started, config(next));
    expect([plan.changed, plan.needRestart]).toEqual([
      ["auth.providers.service.default.tokens"],
      ["auth.providers.oidc.default"],
    ]);
  });

  it("each setting that a reload takes belongs to its address, or has none", () => {
    const alone = reloadableSettings.filter(
      (name) => !name.includes("[]") && !wholeSections.some((section) => name.startsWith(`${section}.`)),
    );
    // None of these is sent to an address that a setting beside it names; the last one is read as an item of a list.
    expect(alone).toEqual([
      "log.level",
      "mesh.builder.instantiations.secretKey",
      "mesh.builder.instantiations.formerSecretKeys",
      "auth.providers.service.<environment>.tokens",
      "auth.providers.service.<environment>.hmac",
      "adapters.secret",
      "adapters.formerSecret",
      "provisioning-coordinator.depends-on.marketplace-proxy.secret",
    ]);
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
