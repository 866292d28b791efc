/**
 * The assistant at work: asked to deploy, it previews, asks for approval, deploys with the PostgreSQL adapter and follows
 * the plan; refused, it changes nothing; and asked why a deployment failed, it finds the line of the log. Only the model is
 * a script (`model.ts`); every tool result is real. `npm run example:assistant` ends with 0 when all of that is so.
 */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { platformAt, type Platform } from "../from-template/platform.ts";
import { query, startDataServer, startPlatform, runExample, type DataServer, type ExampleContext } from "../story.ts";
import { ask, type Answer } from "./conversation.ts";

const fleet = join(import.meta.dirname, "../fleet-positions");
const unit = "urn:dmb:dp:mobility:fleet-positions:0";

await runExample("assistant", "the assistant did what it says", async (stage) => {
  const world = await raise(stage);
  await runSteps(world, stage);
});

interface World {
  platform: Platform;
  data: DataServer;
}

async function raise(stage: ExampleContext): Promise<World> {
  const { home, processes, say } = stage;
  const model = processes.start("model", "examples/assistant/model.ts", []);
  const data = await startDataServer(stage);
  const { adapterUrl } = data;
  const config = { mesh: { builder: { catalogue: { folders: [fleet] } } } };
  await writeFile(join(home, "plinth.yaml"), JSON.stringify(config));
  const platform = platformAt(await startPlatform(stage, data, ["--port", "0"]));
  say(`the platform listens on ${platform.url}`);
  for (const name of ["postgres-storage", "postgres-outputport", "postgres-workload"]) {
    const [id, description, version] = [`urn:dmb:itm:${name}:1`, "The PostgreSQL adapter", "1"];
    const registration = { id, name, description, version, url: adapterUrl, environment: "development" };
    await platform.call("POST", "/api/builder/register", registration);
  }
  await platform.call("POST", "/api/catalog/locations", { type: "file", target: fleet });
  await platform.until<unknown[]>("/api/catalog/entities?filter=kind=system", (found) => found.length === 1);
  say("the fleet example is in the catalogue, its adapter is registered");
  const endpoint = String((await model.waitForLine("listening"))["listening"]);
  const settings = { provider: "openai-compatible", endpoint, model: "scripted", api_key: "not-a-secret" };
  await platform.call("POST", "/api/assistant/v2/llm/config", settings);
  const { probe } = await platform.call<{ probe: { outcome: string } }>("GET", "/api/assistant/v2/llm/config");
  assert.equal(probe.outcome, "ok");
  say("the assistant has a model: A SCRIPTED TEST PROGRAM, which answered the probe");
  return { platform, data };
}

async function runSteps({ platform, data }: World, { say }: ExampleContext): Promise<void> {
  const put = (message: string, approves: boolean): Promise<Answer> =>
    converse(platform, { message, approves, say });
  const refused = await put("Deploy the fleet to development, please.", false);
  assert.deepEqual(refused.asked.map(({ tool }) => tool), ["start_provisioning"]);
  assert.equal(await statusOf(platform), "NOT_DEPLOYED");
  say("nothing was deployed without the user's approval");

  const deployed = await put("Deploy the fleet to development, please.", true);
  const [approval] = deployed.asked;
  assert.equal(typeof approval?.arguments["planHash"], "string", "what is started is what was previewed");
  assert.match(deployed.text, /ended COMPLETED with \d+ tasks/);
  assert.equal(await statusOf(platform), "DEPLOYED");

  // What an operator may do by mistake: from now on the adapter may only read.
  const database = { ...data.owner, database: "postgres" };
  await query(database, "alter database products set default_transaction_read_only = on");
  await query(database, "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'products'");
  say("somebody makes the database of the data products read-only");
  const failed = await put("Deploy the fleet to development once more.", true);
  assert.match(failed.text, /ended FAILED/);

  const explained = await put("Why did that fail?", false);
  assert.deepEqual(explained.calls, [
    "load_skill",
    "platform__list_operations",
    "platform__get_plan",
    "platform__get_plan_logs",
  ]);
  assert.deepEqual(explained.asked, [], "reading needs no approval");
  assert.match(explained.text, /The database is read-only and takes no changes/);
  const { data: usage } = await platform.call<{ data: Usage[] }>("GET", "/api/assistant/v2/usage?by=agent");
  for (const { key, calls, input_tokens: sent, output_tokens: received } of usage)
    say(`  ${key}: ${calls} calls of the model, ${sent} tokens sent, ${received} received`);
}

interface Usage {
  key: string;
  calls: number;
  input_tokens: number;
  output_tokens: number;
}

interface Saying {
  message: string;
  approves: boolean;
  say: (line: string) => void;
}

async function converse({ url }: Platform, { message, approves, say }: Saying): Promise<Answer> {
  say(`“${message}”`);
  const answer = await ask(url, { message, approves: () => approves, say });
  say(`  answers: ${answer.text}`);
  return answer;
}

async function statusOf(platform: Platform): Promise<string> {
  const path = `/api/coordinator/v1/deployment-units/${unit}/provisioning-status?environment=development`;
  return (await platform.call<{ status: string }>("GET", path)).status;
}
