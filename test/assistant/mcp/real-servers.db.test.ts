/** Published MCP servers, as programs and over HTTP, and our own by its present generation. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execFile, type ChildProcess } from "node:child_process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startWholeServer, tokenOf, type WholeServer } from "../../support/server.ts";
import { mcpServer, openPool, program, startEverything, type PoolFixture } from "./pool-fixture.ts";
import { eventually } from "../../support/eventually.ts";

let fixture: PoolFixture;
let folder: string;
let own: WholeServer;
const processes: ChildProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plinth-mcp-"));
  await writeFile(join(folder, "ship.txt"), "The ship is called Beagle.");
  own = await startWholeServer({ workers: "off" });
  const [http, sse] = await Promise.all([startEverything("streamableHttp"), startEverything("sse")]);
  processes.push(http.process, sse.process);
  fixture = await openPool([
    mcpServer({ name: "all", url: http.url }),
    mcpServer({ name: "all-sse", transport: "sse", url: sse.url }),
    mcpServer({ name: "all-stdio", transport: "stdio", ...program("everything") }),
    mcpServer({ name: "files", transport: "stdio", ...program("filesystem", folder) }),
    mcpServer({
      name: "memory",
      transport: "stdio",
      ...program("memory"),
      env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") },
    }),
    mcpServer({ name: "plinth", url: `${own.url}/mcp`, token: tokenOf("viewer") }),
  ]);
  await eventually(
    "all connections",
    () => fixture.pool.health().filter(({ status }) => status === "connected").length === 6,
  );
});
afterAll(async () => {
  await fixture?.close();
  await own?.close();
  for (const child of processes) child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

it("speaks the generation that each speaks", () => {
  const spoken = fixture.pool.health().map(({ name, protocol }) => [name, protocol]);
  expect(Object.fromEntries(spoken)).toEqual({
    all: "2025-11-25",
    "all-sse": "2025-11-25",
    "all-stdio": "2025-11-25",
    files: "2025-11-25",
    memory: "2025-11-25",
    plinth: "2026-07-28",
  });
});

it.each(["all", "all-sse", "all-stdio"])("calls server-everything as %s", async (server) => {
  expect(await fixture.offered(server)).toEqual(expect.arrayContaining(["echo", "get-sum"]));
  expect(await fixture.call(`${server}:echo`, { message: "ahoy" })).toEqual({
    text: "Echo: ahoy",
    isError: false,
  });
  const sum = await fixture.call(`${server}:get-sum`, { a: 2, b: 40 });
  expect(sum.text).toContain("42");
  const wrong = await fixture.call(`${server}:get-sum`, { a: "two" });
  expect(wrong.isError).toBe(true);
  const image = await fixture.call(`${server}:get-tiny-image`);
  expect(image.text).toMatch(/\(image, image\/png, which can't be shown\)/);
});

it("gives programs a clean environment", async () => {
  process.env["PLINTH_TEST_SECRET"] = "canary";
  const { text } = await fixture.call("all-stdio:get-env");
  expect(text).toContain("PATH");
  expect(text).not.toContain("canary");
  expect(text).not.toContain("VITEST");
});

it("reads and writes files where server-filesystem may", async () => {
  const read = await fixture.call("files:read_text_file", { path: join(folder, "ship.txt") });
  expect(read).toEqual({ text: "The ship is called Beagle.", isError: false });
  const outside = await fixture.call("files:read_text_file", { path: "/etc/passwd" });
  expect(outside).toMatchObject({ isError: true, text: expect.stringContaining("denied") });
  const tools = await fixture.pool.list();
  const destructive = tools
    .filter(({ server, destructive: is }) => server === "files" && is)
    .map(({ name }) => name);
  expect(destructive).toEqual(expect.arrayContaining(["write_file", "edit_file"]));
  expect(destructive).not.toContain("read_text_file");
});

it("keeps a graph in server-memory", async () => {
  const entities = [{ name: "Beagle", entityType: "ship", observations: ["has two masts"] }];
  expect((await fixture.call("memory:create_entities", { entities })).isError).toBe(false);
  expect((await fixture.call("memory:search_nodes", { query: "masts" })).text).toContain("Beagle");
  expect(await readFile(join(folder, "memory.jsonl"), "utf8")).toContain("two masts");
});

it("calls the platform as another server, with the rights of its token", async () => {
  expect((await fixture.call("plinth:list_tech_adapters")).isError).toBe(false);
  const refused = await fixture.call("plinth:start_provisioning", {
    descriptor: { id: "x" },
    environment: "development",
  });
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining("403") });
});

it("brings a program back that was killed, and leaves none when it closes", async () => {
  const pid = await pidOf("server-everything/dist/index.js");
  process.kill(pid, "SIGKILL");
  await eventually("the program", async () => {
    const answer = await fixture.call("all-stdio:echo", { message: "again" });
    return !answer.isError && (await pidOf("server-everything/dist/index.js")) !== pid;
  });
  await fixture.pool.close();
  await eventually("its end", async () => (await pidsOf("server-memory/dist/index.js")).length === 0);
});

/** Ids of the processes that this process has started whose command line ends with the text. */
async function pidsOf(text: string): Promise<number[]> {
  const listed = await new Promise<string>((done) =>
    execFile("ps", ["-o", "pid=,ppid=,args=", "-e"], (_error, out) => done(out)),
  );
  return listed
    .split("\n")
    .filter((line) => line.trimEnd().endsWith(text) && line.includes(` ${process.pid} `))
    .map((line) => Number(line.trim().split(/\s+/)[0]));
}

const pidOf = async (text: string): Promise<number> => (await pidsOf(text))[0] ?? Number.NaN;
