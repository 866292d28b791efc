/**
 * The assistant at work: asked to deploy, it previews, asks for approval, deploys with the PostgreSQL adapter and follows
 * the plan; refused, it changes nothing; and asked why a deployment failed, it finds the line of the log. Only the model is
 * a script (`model.ts`); every tool result is real. `npm run example:assistant` ends with 0 when all of that is so.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { platformAt, type Platform } from "../from-template/platform.ts";
import { createProcesses } from "../processes.ts";
import { ask, type Answer } from "./conversation.ts";

const fleet = join(import.meta.dirname, "../fleet-positions");
const unit = "urn:dmb:dp:mobility:fleet-positions:0";

const home = await mkdtemp(join(tmpdir(), "plinth-assistant-"));
const processes = createProcesses(home);
const began = performance.now();
const say = (line: string): void =>
  console.log(`${((performance.now() - began) / 1_000).toFixed(1).padStart(5)} s  ${line}`);

try {
  const world = await raise();
  await tellStory(world);
  say("the assistant did what it says");
} catch (error) {
  console.error(error instanceof assert.AssertionError ? error.message : (error as Error).stack);
  process.exitCode = 1;
} finally {
  await processes.stopAll();
  await rm(home, { recursive: true, force: true });
}

interface World {
  platform: Platform;
  /** Of the server in which the adapter works, as its owner. */
  database: pg.ClientConfig;
}

async function raise(): Promise<World> {
  const postgres = processes.start("postgres", "scripts/postgres.ts", ["--data-dir", join(home, "database")]);
  const model = processes.start("model", "examples/assistant/model.ts", []);
  const said = await postgres.said("password");
  const [host, user, password] = [said["host"], said["user"], said["password"]].map(String);
  const port = Number(said["port"]);
  const database = { host, port, user, password, database: "postgres" };
  await query(database, "create database products");
  const url = `postgres://${user}:${encodeURIComponent(password!)}@${host}:${port}/products`;
  const adapter = processes.start("adapter", "src/adapters/postgres/main.ts", [], {
    ...withPath(),
    POSTGRES_ADAPTER_DATABASE_URL: url,
  });
  const adapterUrl = String((await adapter.said("listening"))["listening"]);
  const config = { mesh: { builder: { catalogue: { folders: [fleet] } } } };
  await writeFile(join(home, "plinth.yaml"), JSON.stringify(config));
  const args = ["start", "--port", "0", "--config", "plinth.yaml"];
  const plinth = processes.start("plinth", "src/cli/main.ts", args, {
    ...withPath(),
    COORDINATOR_DB_HOST: host!,
    COORDINATOR_DB_PORT: String(port),
    COORDINATOR_DB_USERNAME: user!,
    COORDINATOR_DB_PASSWORD: password!,
    COORDINATOR_DB_DBNAME: "plinth",
  });
  const platform = platformAt(String((await plinth.said("url"))["url"]));
  say(`the platform listens on ${platform.url}`);
  for (const name of ["postgres-storage", "postgres-outputport", "postgres-workload"]) {
    const [id, description, version] = [`urn:dmb:itm:${name}:1`, "The PostgreSQL adapter", "1"];
    const registration = { id, name, description, version, url: adapterUrl, environment: "development" };
    await platform.call("POST", "/api/builder/register", registration);
  }
  await platform.call("POST", "/api/catalog/locations", { type: "file", target: fleet });
  await platform.until<unknown[]>("/api/catalog/entities?filter=kind=system", (found) => found.length === 1);
  say("the fleet example is in the catalogue, its adapter is registered");
  const endpoint = String((await model.said("listening"))["listening"]);
  const settings = { provider: "openai-compatible", endpoint, model: "scripted", api_key: "not-a-secret" };
  await platform.call("POST", "/api/assistant/v2/llm/config", settings);
  const { probe } = await platform.call<{ probe: { outcome: string } }>("GET", "/api/assistant/v2/llm/config");
  assert.equal(probe.outcome, "ok");
  say("the assistant has a model: A SCRIPTED TEST PROGRAM, which answered the probe");
  return { platform, database };
}

async function tellStory({ platform, database }: World): Promise<void> {
  const refused = await put(platform, "Deploy the fleet to development, please.", false);
  assert.deepEqual(refused.asked.map(({ tool }) => tool), ["start_provisioning"]);
  assert.equal(await statusOf(platform), "NOT_DEPLOYED");
  say("nothing was deployed without the user's approval");

  const deployed = await put(platform, "Deploy the fleet to development, please.", true);
  const [approval] = deployed.asked;
  assert.equal(typeof approval?.arguments["planHash"], "string", "what is started is what was previewed");
  assert.match(deployed.text, /ended COMPLETED with \d+ tasks/);
  assert.equal(await statusOf(platform), "DEPLOYED");

  // What an operator may do by mistake: from now on the adapter may only read.
  await query(database, "alter database products set default_transaction_read_only = on");
  await query(database, "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'products'");
  say("somebody makes the database of the data products read-only");
  const failed = await put(platform, "Deploy the fleet to development once more.", true);
  assert.match(failed.text, /ended FAILED/);

  const explained = await put(platform, "Why did that fail?", false);
  assert.deepEqual(explained.calls, [
    "load_skill",
    "platform__list_operations",
    "platform__get_plan",
    "platform__get_plan_logs",
  ]);
  assert.deepEqual(explained.asked, [], "reading needs no approval");
  assert.match(explained.text, /The database is read-only and takes no changes/);
  const usage = await platform.call<object>("GET", "/api/assistant/v2/usage?by=agent");
  say(`what that has used, by agent: ${JSON.stringify(usage)}`);
}

async function put(platform: Platform, message: string, approves: boolean): Promise<Answer> {
  say(`“${message}”`);
  const answer = await ask(platform.url, { message, approves: () => approves, say });
  say(`  answers: ${answer.text}`);
  return answer;
}

async function statusOf(platform: Platform): Promise<string> {
  const path = `/api/coordinator/v1/deployment-units/${unit}/provisioning-status?environment=development`;
  return (await platform.call<{ status: string }>("GET", path)).status;
}

async function query(database: pg.ClientConfig, text: string): Promise<void> {
  const client = new pg.Client(database);
  await client.connect();
  await client.query(text);
  await client.end();
}

function withPath(): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "" };
}
