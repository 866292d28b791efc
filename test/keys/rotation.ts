/**
 * Two processes work under load while every key and secret of the installation is exchanged; then what callers have seen, what the
 * adapter was called with and what the database holds is judged.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase, type Connection, type Database } from "../../src/platform/db/database.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { createSecretBox } from "../../src/platform/lib/secrets/secret-box.ts";
import { environment, mockId } from "../faults/registration.ts";
import { eventually } from "../support/eventually.ts";
import {
  ask,
  count,
  lasting,
  startKeeper,
  startReader,
  startUnit,
  type Caller,
  type Credential,
  type Findings,
  type Request,
} from "./callers.ts";
import { startGuardedAdapter, type GuardedAdapter } from "./guarded-adapter.ts";
import { ownerToken, startInstallation, type Installation, type Secrets } from "./installation.ts";
import { canary, openedBy, sealRows } from "./sealed-rows.ts";

export interface RotationOptions {
  connection: Connection;
  /** The script that is the product. */
  program: string;
  rounds: number;
  units: number;
  /** Tasks and agents whose secrets are stored beforehand. */
  storedRows: number;
  say: (line: string) => void;
}

export interface RotationReport {
  answers: Map<string, number>;
  plans: number;
  violations: string[];
  /** Logs of the processes; kept when something was wrong. */
  logs: string | null;
}

/** How long a revoked personal token may still be good (docs/guides/tokens.md). */
const revokedWithinMs = 3_000;
/** Between two steps, so that callers see each state. */
const quietMs = 500;

interface Stage {
  options: RotationOptions;
  installation: Installation;
  adapter: GuardedAdapter;
  database: Database;
  findings: Findings;
  owner: Credential;
  secrets: Secrets;
  callers: Caller[];
}

export async function runRotation(options: RotationOptions): Promise<RotationReport> {
  const home = await mkdtemp(join(tmpdir(), "plinth-keys-"));
  const secrets: Secrets = {
    ciToken: newSecret(),
    adapterSecret: newSecret(),
    formerAdapterSecret: null,
    installationKey: newKey(),
    formerKey: null,
    logLevel: "info",
  };
  const { connection, program, units } = options;
  const database = openDatabase({ connection, log: silentLogger });
  const adapter = await startGuardedAdapter(secrets.adapterSecret);
  const installation = await startInstallation({ home, connection, program, secrets });
  const findings: Findings = { answers: new Map(), violations: new Map() };
  const owner = lasting("the owner", ownerToken);
  const stage: Stage = { options, installation, adapter, database, findings, owner, secrets, callers: [] };
  try {
    await prepare(stage);
    const { urls } = installation;
    const working = Array.from({ length: units }, (_, number) =>
      startUnit(urls, { unitId: `unit-${number}`, credential: owner, findings }),
    );
    const keeper = startKeeper(urls, { credential: owner, findings, secret: canary.toString() });
    stage.callers.push(...working, keeper, startReader(urls, owner, findings));
    for (let round = 1; round <= options.rounds; round += 1) await exchangeAll(stage, round);
    await Promise.all(stage.callers.map((caller) => caller.stop()));
    const plans = working.reduce((sum, { completed }) => sum + completed(), 0);
    if (plans === 0) count(findings.violations, "no plan was completed");
    const codes = await installation.stop();
    if (codes.some((code) => code !== 0))
      count(findings.violations, `processes ended with ${codes.join(", ")}`);
    const violations = [...findings.violations].map(([what, times]) => `${times} x ${what}`);
    if (violations.length === 0) await rm(home, { recursive: true, force: true });
    return { answers: findings.answers, plans, violations, logs: violations.length === 0 ? null : home };
  } finally {
    await installation.stop();
    await adapter.close();
    await database.close();
  }
}

const newSecret = (): string => randomBytes(24).toString("base64url");
const newKey = (): string => randomBytes(32).toString("base64");
const boxOf = (key: string) => createSecretBox(Buffer.from(key, "base64"));

async function prepare({
  installation,
  adapter,
  database,
  findings,
  owner,
  secrets,
  options,
}: Stage): Promise<void> {
  await sealRows(database.db, boxOf(secrets.installationKey), options.storedRows);
  const adapters = "/api/coordinator/v1/tech-adapters";
  const requests: Request[] = [
    {
      name: "register",
      method: "POST",
      path: adapters,
      body: { id: mockId, version: "1", name: "Mock" },
      wanted: 201,
    },
    {
      name: "register",
      method: "PUT",
      path: `${adapters}/${mockId}/deployments/${environment}`,
      body: { url: adapter.url },
      wanted: 200,
    },
  ];
  for (const request of requests)
    if ((await ask(installation.urls[0] ?? "", owner, { request, findings })) === null)
      throw new Error(`The adapter could not be registered: ${[...findings.violations.keys()].join("; ")}`);
}

async function exchangeAll(stage: Stage, round: number): Promise<void> {
  const { say } = stage.options;
  const steps = [
    ["a static token is replaced", replaceToken],
    ["a configuration with problems is refused", refuse],
    ["the secret of the adapters is exchanged", exchangeAdapterSecret],
    ["the key of the installation is exchanged", exchangeKey],
    ["personal tokens are revoked", revokeTokens],
    ["the log level changes, with a hundred signals", changeLevel],
  ] as const;
  for (const [name, step] of steps) {
    await sleep(quietMs);
    const from = performance.now();
    await step(stage);
    say(`round ${round}: ${name} (${Math.round(performance.now() - from)} ms)`);
  }
}

/** Writes them, has them taken, and compares what the log says with what has changed. */
async function apply(stage: Stage, next: Partial<Secrets>, changed: readonly string[]): Promise<void> {
  Object.assign(stage.secrets, next);
  await stage.installation.write(stage.secrets);
  const said = await stage.installation.reload();
  if (said.toSorted().join() !== [...changed].toSorted().join())
    count(stage.findings.violations, `a reload said that it changed ${said.join()}, not ${changed.join()}`);
}

async function replaceToken(stage: Stage): Promise<void> {
  const { installation, findings, secrets } = stage;
  const old = lasting("the old token", secrets.ciToken);
  const next: Credential = { ...lasting("the new token", newSecret()), goodFrom: Infinity };
  const readers = [old, next].map((each) => startReader(installation.urls, each, findings));
  await sleep(quietMs);
  old.goodUntil = Date.now();
  await apply(stage, { ciToken: next.token }, ["auth.providers.service.default.tokens"]);
  old.badFrom = Date.now();
  next.goodFrom = Date.now();
  await sleep(quietMs);
  await Promise.all(readers.map((reader) => reader.stop()));
}

async function refuse({ installation, secrets }: Stage): Promise<void> {
  await installation.spoil();
  installation.signal();
  await installation.said("the configuration was not taken, and nothing has changed");
  await sleep(quietMs);
  await installation.write(secrets);
}

async function exchangeAdapterSecret(stage: Stage): Promise<void> {
  const { adapter, findings, secrets } = stage;
  const [old, next] = [secrets.adapterSecret, newSecret()];
  // An adapter that can have only one secret at a time: it is changed between the two steps of the platform.
  await apply(stage, { adapterSecret: next, formerAdapterSecret: old }, [
    "adapters.secret",
    "adapters.formerSecret",
  ]);
  await sleep(2 * quietMs);
  adapter.takes(next);
  await sleep(quietMs);
  await apply(stage, { formerAdapterSecret: null }, ["adapters.formerSecret"]);
  const [refused, before] = [adapter.refused(), adapter.callsWith(next)];
  await eventually("a call with the new secret of the adapters", () => adapter.callsWith(next) > before + 10);
  // One that was under way at the reload may have begun with both.
  if (adapter.refused() > refused)
    count(findings.violations, "an adapter was called with a secret that was taken away");
}

const keySettings = ["secretKey", "formerSecretKeys"].map((name) => `mesh.builder.instantiations.${name}`);

async function exchangeKey(stage: Stage): Promise<void> {
  const { installation, database, findings, secrets } = stage;
  const old = secrets.installationKey;
  const made = await installation.command("admin", "new-key", "--json").ended;
  const { key: next } = JSON.parse(made.text) as { key: string };
  await apply(stage, { installationKey: next, formerKey: old }, keySettings);
  const newBox = boxOf(next);
  const total = (await openedBy(database.db, old)).values;
  // The first one is killed in its middle.
  const first = installation.command("admin", "rekey", "--json");
  await eventually("a part of rekey", async () => (await openedBy(database.db, next)).opened > total / 10);
  first.kill();
  const { code } = await first.ended;
  const left = (await openedBy(database.db, old)).opened;
  if (code !== null || left === 0)
    count(findings.violations, `rekey was not killed in its middle: ${code}, ${left} left`);
  const second = await installation.command("admin", "rekey", "--json").ended;
  if (second.code !== 0)
    count(findings.violations, `rekey ended with ${second.code}: ${second.text.slice(0, 500)}`);
  await apply(stage, { formerKey: null }, keySettings.slice(1));
  await sleep(quietMs);
  const [byOld, byNew] = [await openedBy(database.db, old), await openedBy(database.db, next)];
  if (byOld.opened > 0) count(findings.violations, `${byOld.opened} secrets can be read with the old key`);
  if (byNew.opened !== byNew.values || byNew.values < total)
    count(
      findings.violations,
      `${byNew.opened} of ${byNew.values} secrets can be read with the new key, before ${total}`,
    );
  if (newBox.open(boxOf(old).seal(canary, "x"), "x") !== null)
    count(findings.violations, "the two keys are one");
}

async function revokeTokens(stage: Stage): Promise<void> {
  const { installation, findings, owner } = stage;
  const [first = "", second = ""] = installation.urls;
  const made: { id: string; credential: Credential }[] = [];
  for (const name of ["personal 1", "personal 2", "personal 3"]) {
    const body = { name, roles: ["viewer"], scopes: ["read"], expiresInDays: 1 };
    const request: Request = { name: "make", method: "POST", path: "/api/auth/v1/tokens", body, wanted: 201 };
    const text = await ask(first, owner, { request, findings });
    if (text === null) return;
    const { id, token } = JSON.parse(text) as { id: string; token: string };
    made.push({ id, credential: lasting("a personal token", token) });
  }
  const readers = made.map(({ credential }) => startReader(installation.urls, credential, findings));
  await sleep(quietMs);
  for (const { id, credential } of made) {
    const request: Request = {
      name: "revoke",
      method: "DELETE",
      path: `/api/auth/v1/tokens/${id}`,
      wanted: 204,
    };
    credential.goodUntil = Date.now();
    await ask(second, owner, { request, findings });
    credential.badFrom = Date.now() + revokedWithinMs;
  }
  await sleep(revokedWithinMs + 2 * quietMs);
  await Promise.all(readers.map((reader) => reader.stop()));
}

async function changeLevel(stage: Stage): Promise<void> {
  const { installation, secrets } = stage;
  await apply(stage, { logLevel: "debug" }, ["log.level"]);
  Object.assign(secrets, { logLevel: "info" });
  await installation.write(secrets);
  installation.signal(100);
  await installation.said("the configuration was read again");
}
