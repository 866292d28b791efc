/** From which numbers and settings on something is a warning, and a problem. */
import { X509Certificate } from "node:crypto";
import { expect, it } from "vitest";
import { loadConfig } from "../config/load.ts";
import type { Config } from "../config/schema/schema.ts";
import * as configuration from "./configuration-checks.ts";
import * as database from "./database-checks.ts";
import { eventLoopFinding, freeFinding, jobsCheck, poolCheck } from "./process-checks.ts";
import { auditFinding } from "./upkeep-checks.ts";

const mib = 2 ** 20;
const signal = new AbortController().signal;
const workers = (aliveWorkers: number) => ({ aliveWorkers, deadWorkers: 1, oldestHeartbeatSeconds: 1 });

it.each([
  ["PostgreSQL 15", database.versionFinding({ version: 150_004 }), "ok", "It is PostgreSQL 15.4."],
  ["PostgreSQL 14", database.versionFinding({ version: 140_011 }), "problem", "It is PostgreSQL 14.11."],
  ["clocks that agree", database.clockFinding(-4.9), "ok", "agree"],
  ["a clock 10 s behind", database.clockFinding(-10), "warning", "10 s behind"],
  ["a clock 5 minutes ahead", database.clockFinding(300), "problem", "5 minutes ahead of"],
  [
    "few connections",
    database.connectionsFinding({ connections: 84, maxConnections: 100 }),
    "ok",
    "84 of 100",
  ],
  [
    "many connections",
    database.connectionsFinding({ connections: 86, maxConnections: 100 }),
    "warning",
    "86 of 100",
  ],
  [
    "nearly all connections",
    database.connectionsFinding({ connections: 98, maxConnections: 100 }),
    "problem",
    "98",
  ],
  ["a worker", database.workersFinding(workers(1)), "ok", "1 worker is alive"],
  ["no worker", database.workersFinding(workers(0)), "problem", "1 worker ended without a farewell"],
  ["a short pause", eventLoopFinding(99), "ok", "99 ms"],
  ["a pause", eventLoopFinding(101), "warning", "101 ms"],
  ["a long pause", eventLoopFinding(401), "problem", "401 ms"],
  ["much room", freeFinding(1_024 * mib, true), "ok", "1.0 GiB"],
  ["little room", freeFinding(1_023 * mib, true), "warning", "1023 MiB"],
  ["no room", freeFinding(199 * mib, false), "problem", "199 MiB"],
])("%s", (_name, finding, outcome, text) => {
  expect(finding.outcome).toBe(outcome);
  expect(finding.found).toContain(text);
  expect(finding.advice === null).toBe(outcome === "ok");
});

it("warns of statements that wait for a connection at every look, not of one that waits for a moment", async () => {
  let looks = 0;
  const busy = { totalCount: 20, idleCount: 0, waitingCount: 3 };
  const moment = {
    ...busy,
    get waitingCount() {
      return (looks += 1) === 1 ? 3 : 0;
    },
  };
  expect(await poolCheck(busy).look(signal)).toMatchObject({
    outcome: "warning",
    found: expect.stringMatching(/wait for one: 3\.$/),
  });
  expect(await poolCheck(moment).look(signal)).toMatchObject({ outcome: "ok" });
});

it("warns of jobs that were given up", async () => {
  const queue = { queue: "clean-up", ready: 0, active: 0, failed: 2 };
  expect(await jobsCheck(async () => [queue]).look(signal)).toMatchObject({
    outcome: "warning",
    found: expect.stringMatching(/2 of clean-up/),
  });
});

const migration = (number: number) => ({
  name: `000${number}_x.sql`,
  number,
  text: "",
  checksum: `c${number}`,
  compatibleFrom: number,
});
const applied = (number: number, changes: object = {}) =>
  [
    `000${number}_x.sql`,
    {
      name: `000${number}_x.sql`,
      checksum: `c${number}`,
      service: "plinth",
      compatibleFrom: 0,
      program: null,
      ...changes,
    },
  ] as const;

it.each([
  ["all of them", [applied(1), applied(2)], "ok"],
  ["one that is missing", [applied(1)], "problem"],
  ["one that is another one", [applied(1), applied(2, { checksum: "other" })], "problem"],
  ["newer ones that it can work with", [applied(1), applied(2), applied(3)], "warning"],
  [
    "newer ones that it cannot work with",
    [applied(1), applied(2), applied(3, { compatibleFrom: 3 })],
    "problem",
  ],
] as const)("migrations: %s", (_name, rows, outcome) => {
  expect(database.migrationsFinding([migration(1), migration(2)], new Map(rows)).outcome).toBe(outcome);
});

it("migrations: no table at all", () => {
  expect(database.migrationsFinding([migration(1)], null)).toMatchObject({ outcome: "problem" });
});

it("the end of the audit's chain", () => {
  const now = Date.parse("2026-11-24T12:00:00Z");
  const head = { seq: 4, unsignedAt: null } as never;
  const tail = (oldestAt: string | null) => ({ rows: oldestAt === null ? 0 : 2, oldestAt });
  const finding = (status: object) =>
    auditFinding({ head, isSigned: true, tail: tail(null), ...status }, now).outcome;
  expect(finding({})).toBe("ok");
  expect(finding({ tail: tail("2026-11-24T11:55:00Z") })).toBe("ok");
  expect(finding({ tail: tail("2026-11-24T11:45:00Z") })).toBe("warning");
  expect(finding({ isSigned: false })).toBe("problem");
  expect(finding({ head: null })).toBe("problem");
  expect(finding({ head: { seq: 4, unsignedAt: new Date(0) } })).toBe("problem");
});

function configWith(change: (config: Config) => void): Config {
  const { config } = loadConfig({ files: [], env: {}, cwd: import.meta.dirname });
  change(config);
  return config;
}

const service = (...secrets: string[]) => ({
  service: {
    default: { tokens: secrets.map((secret, index) => ({ name: `t${index}`, secret, roles: ["viewer"] })) },
  },
});
const provider = (issuer: string) => ({ oidc: { default: { issuer, audience: "plinth" } } });
const auth = (providers: object) => (config: Config) => {
  config.auth = { environment: "default", providers };
};
const random = "Zq3v8Lr1Xw7Tn5Bk9Hd2";

it.each<[string, (config: Config) => object, (config: Config) => void, string, RegExp]>([
  ["a guest on this machine", configuration.signInFinding, () => undefined, "warning", /roles admin/],
  [
    "a guest for others",
    configuration.signInFinding,
    (config) => {
      auth({
        guest: {
          default: {
            dangerouslyAllowInProduction: true,
            userEntityRef: "user:default/guest",
            roles: ["viewer"],
          },
        },
      })(config);
      config.server.host = "0.0.0.0";
    },
    "problem",
    /roles viewer/,
  ],
  [
    "callers with credentials",
    configuration.signInFinding,
    auth(service(random)),
    "ok",
    /tokens of the settings/,
  ],
  [
    "keys over http",
    configuration.providerFinding,
    auth(provider("http://id.example.com")),
    "problem",
    /oidc come over http/,
  ],
  [
    "keys over https",
    configuration.providerFinding,
    auth(provider("https://id.example.com")),
    "ok",
    /1 provider/,
  ],
  [
    "keys of this machine",
    configuration.providerFinding,
    auth(provider("http://localhost:9000")),
    "ok",
    /1 provider/,
  ],
  ["a random token", configuration.secretsFinding, auth(service(random)), "ok", /None/],
  [
    "a token of an example",
    configuration.secretsFinding,
    auth(service(random, "please-change-me-now")),
    "problem",
    /the token t1\./,
  ],
  [
    "a token of few letters",
    configuration.secretsFinding,
    auth(service("abababababababab")),
    "problem",
    /the token t0/,
  ],
  [
    "the usual password",
    configuration.secretsFinding,
    (config) => {
      config.database.embedded = false;
      config.database.coordinator.password = "postgres";
    },
    "problem",
    /the password of the database/,
  ],
  [
    "no public address",
    configuration.addressFinding,
    (config) => void (config.server.host = "0.0.0.0"),
    "warning",
    /is not set/,
  ],
  [
    "one without TLS",
    configuration.addressFinding,
    (config) => void (config.server.baseUrl = "http://plinth.example.com"),
    "warning",
    /unencrypted/,
  ],
  [
    "one with TLS",
    configuration.addressFinding,
    (config) => void (config.server.baseUrl = "https://plinth.example.com"),
    "ok",
    /is set/,
  ],
  [
    "development for others",
    configuration.modeFinding,
    (config) => void (config.server.host = "0.0.0.0"),
    "warning",
    /development/,
  ],
  [
    "production on the embedded database",
    configuration.modeFinding,
    (config) => void (config.mode = "production"),
    "warning",
    /embedded/,
  ],
  [
    "every private network",
    configuration.modeFinding,
    (config) => {
      config.mode = "production";
      config.database.embedded = false;
      config.outbound.allowPrivateNetworks = true;
    },
    "warning",
    /allowPrivateNetworks/,
  ],
])("settings: %s", (...[, find, change, outcome, text]) => {
  expect(find(configWith(change))).toMatchObject({ outcome, found: expect.stringMatching(text) });
});

it("never shows a secret of the settings", () => {
  const config = configWith(auth(service("please-change-me-now")));
  expect(JSON.stringify(configuration.secretsFinding(config))).not.toContain("please-change-me");
});

/** Signed by itself, with an end in years; its key was thrown away. */
const certificate = [
  "-----BEGIN CERTIFICATE-----",
  "MIIBMjCB5aADAgECAhRU32p/BCdT9IakrqVVpUgPuOCG3zAFBgMrZXAwDzENMAsG",
  "A1UEAwwEbWFpbDAeFw0yNjExMjQxOTE4MjlaFw0zNjExMjExOTE4MjlaMA8xDTAL",
  "BgNVBAMMBG1haWwwKjAFBgMrZXADIQC46NG2haVrVaqBV4Mblqby8azqliKqw/X1",
  "xFkeY3BUlaNTMFEwHQYDVR0OBBYEFDhXiDFYvFlEt9om9EjFYiv3+wNhMB8GA1Ud",
  "IwQYMBaAFDhXiDFYvFlEt9om9EjFYiv3+wNhMA8GA1UdEwEB/wQFMAMBAf8wBQYD",
  "K2VwA0EA5pIV9klly7MKQUzTluGWGT+KEHCBVeISqeHu4wkcm6CgIJkgRZmSMUzv",
  "C8zJ6RK9+C+izUQuzYFJE4tCxRmEAg==",
  "-----END CERTIFICATE-----",
].join("\n");

it("says when a certificate of the settings ends", () => {
  const config = configWith(
    (each) => void (each.notices.mail = { security: "tls", ca: certificate } as never),
  );
  const end = new X509Certificate(certificate).validToDate.getTime();
  const before = (days: number) => configuration.certificatesFinding(config, end - days * 86_400_000).outcome;
  expect([before(31), before(29), before(-1)]).toEqual(["ok", "warning", "problem"]);
  config.notices.mail!.security = "none";
  expect(before(31)).toBe("warning");
});
