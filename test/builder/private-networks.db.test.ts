/** A server with the outbound settings as they come: what developers name may not lie in a private network. */
import { createServer, type Server } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from "node:net";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Logger } from "../../src/platform/lib/logger.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { send, startWholeServer, type Answer, type TestRole, type WholeServer } from "../support/server.ts";

let server: WholeServer;
let web: Server;
let webHost: string;
let closedHost: string;
let muteHost: string;
let mute: TcpServer;
const hits: string[] = [];
const lines: string[] = [];

const record = (fields: object, message: string): void =>
  void lines.push(JSON.stringify({ ...fields, message }));
const log: Logger = { ...silentLogger, warn: record, info: record };
const hostOf = (listener: TcpServer): string => `127.0.0.1:${(listener.address() as AddressInfo).port}`;

beforeAll(async () => {
  web = createServer((request, response) => {
    hits.push(request.url ?? "");
    response.end("kind: Domain\nmetadata: { name: inside }\nspec: { owner: a }\n");
  });
  mute = createTcpServer((socket) => void socket.end("SSH-2.0-x\r\n"));
  const closed = createTcpServer();
  for (const listener of [web, mute, closed])
    await new Promise<void>((done) => listener.listen(0, "127.0.0.1", done));
  webHost = hostOf(web);
  muteHost = hostOf(mute);
  closedHost = hostOf(closed);
  await new Promise((done) => closed.close(done));
  server = await startWholeServer({
    log,
    async configure(config) {
      delete config.outbound.allowPrivateNetworks;
      config.mesh.builder.catalogue.folders = [config.dataDir];
      await mkdir(config.dataDir, { recursive: true });
      await writeFile(join(config.dataDir, "a.yaml"), "kind: Domain\n");
    },
  });
});
afterAll(async () => {
  await server.close();
  web.close();
  mute.close();
});

const post = (path: string, body: unknown, as: TestRole = "developer"): Promise<Answer> =>
  send(server.url, { method: "POST", path, body, as });

const template = (step: object) => ({
  apiVersion: "scaffolder.backstage.io/v1beta3",
  kind: "Template",
  metadata: { name: "looks-around" },
  spec: {
    type: "system",
    owner: "user:default/ada",
    parameters: [],
    steps: [{ id: "look", name: "x", ...step }],
  },
});

/** What a developer learns of an address, with the address taken out. */
const withoutAddress = (text: string, address: string): string =>
  text.replaceAll(address, "…").replaceAll(address.split("/")[2] ?? "", "…");

async function tryTemplate(action: string, url: string): Promise<[number, string]> {
  const input = action.startsWith("publish") ? { repoUrl: url } : { url, targetPath: "x" };
  const { status, body } = await post("/api/scaffolder/v2/dry-run", {
    template: template({ action, input }),
    values: {},
    directoryContents: [],
  });
  return [status, withoutAddress(JSON.stringify(body.error ?? body), url)];
}

async function tryLocation(type: string, target: string): Promise<[number, string]> {
  const { status, body } = await post("/api/catalog/locations?dryRun=true", { type, target });
  return [status, withoutAddress(JSON.stringify(body.error ?? body), target)];
}

it("a developer learns nothing of a private address, and the log says why", async () => {
  const addresses = [webHost, closedHost, muteHost, "10.255.255.1:81", "169.254.169.254", "nowhere.invalid"];
  const learned: Record<string, unknown[]> = {};
  for (const host of addresses) {
    const tries = {
      file: () => tryTemplate("fetch:plain:file", `http://${host}/x.txt`),
      folder: () => tryTemplate("fetch:plain", `http://${host}/x.tar.gz`),
      repository: () => tryTemplate("fetch:template", `http://${host}/x.git`),
      address: () => tryLocation("url", `http://${host}/x.yaml`),
      git: () => tryLocation("git", `http://${host}/x.git`),
    };
    for (const [name, look] of Object.entries(tries)) (learned[name] ??= []).push(await look());
  }
  for (const [name, answers] of Object.entries(learned)) {
    expect(
      new Set(answers.map((answer) => JSON.stringify(answer))).size,
      `${name}: ${JSON.stringify(answers)}`,
    ).toBe(1);
    expect(answers[0], name).toEqual([expect.any(Number), expect.stringContaining("may not be called")]);
  }
  expect(hits).toEqual([]);
  const reported = lines.join("\n");
  expect(reported).toContain("outbound.privateNetworks.templates is not set");
  expect(reported).toContain("outbound.privateNetworks.locations is not set");
});

it("what operators register may lie there", async () => {
  const adapter = {
    id: "urn:dmb:itm:inside:1",
    name: "Inside",
    description: "x",
    version: "1",
    url: `http://${webHost}`,
    environment: "development",
  };
  const reachable = async (): Promise<unknown[]> => {
    const { status, headers } = await post("/api/builder/register", adapter, "operator");
    return [status, headers.get("x-plinth-reachable")];
  };
  // Again, because a busy machine may not answer in the time that is waited for it.
  await expect.poll(reachable).toEqual([200, "true"]);
  const model = { provider: "openai-compatible", endpoint: `http://${webHost}/v1`, api_key: "", model: "m" };
  const saved = await server.assistant({ method: "POST", path: "/llm/config", body: model });
  expect(saved.status, saved.text).toBeLessThan(300);
  expect(hits).toContain("/v1/chat/completions");
});

it("repositories of this server are read from its disk, whatever the settings say of networks", async () => {
  const [, reported] = await tryLocation("git", `${server.url}/git/never.git`);
  expect(reported).toContain("There is no repository never on this server.");
});
