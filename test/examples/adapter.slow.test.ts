/** The example adapter, started, checked, registered and deployed with exactly the commands of its README. */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../../src/cli/testdata.ts";
import { startWholeServer, type WholeServer } from "../support/server.ts";

const root = join(import.meta.dirname, "../..");
const readme = readFileSync(join(root, "examples/adapter/README.md"), "utf8");
const prefix = "npm run -s plinth -- ";
const commands = readme
  .split("\n")
  .flatMap((line) => (line.startsWith(prefix) ? [line.slice(prefix.length)] : []));

let folder = "";
let plinth: WholeServer;
let adapter: ChildProcess;
let adapterUrl = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "plinth-example-"));
  plinth = await startWholeServer();
  adapter = spawn(process.execPath, ["examples/adapter/main.ts", "0", folder], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(createInterface({ input: adapter.stdout! }), "line");
  adapterUrl = (JSON.parse(String(line)) as { listening: string }).listening;
});
afterAll(async () => {
  adapter.kill("SIGTERM");
  await plinth.close();
  rmSync(folder, { recursive: true });
});

const command = (line: string) => {
  const env = { PLINTH_URL: plinth.url, PLINTH_TOKEN: plinth.token("admin") };
  return run(line.replace("http://127.0.0.1:4200", adapterUrl).split(" "), { cwd: root, env });
};
const directories = (): string[] => {
  const path = join(folder, "development");
  return existsSync(path) ? readdirSync(path).sort() : [];
};

describe("the example adapter", () => {
  it("has 60 lines at most", () => {
    const lines = readFileSync(join(root, "examples/adapter/main.ts"), "utf8").trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(60);
  });

  it("is checked, registered, deployed and removed as its README says", async () => {
    const [check, register, validate, provision, status, remove, ...more] = commands;
    expect(more).toEqual([]);
    const checked = await command(check ?? "");
    expect(checked).toMatchObject({ code: 0, err: "" });
    expect(checked.out).toContain("Score 100 of 100: ");
    expect(checked.out).not.toMatch(/warn {2}|FAIL {2}/);
    expect(directories()).toEqual([]);

    for (const line of [register, validate, provision]) {
      const { code, out, err } = await command(line ?? "");
      expect({ line, code, err, out }).toMatchObject({ code: 0, err: "" });
    }
    expect(directories()).toEqual(["notes-drafts", "notes-published"]);
    const shown = await command(status ?? "");
    expect(shown.out).toContain("DEPLOYED");
    expect(shown.out).not.toContain("NOT_DEPLOYED");

    const removed = await command(remove ?? "");
    expect(removed).toMatchObject({ code: 0, err: "" });
    expect(directories()).toEqual([]);
  });

  it("keeps out of the directory of another component, and leaves files unless told to remove them", async () => {
    const descriptor = readFileSync(join(root, "examples/adapter/unit.yaml"), "utf8");
    const dataProduct = descriptor.replaceAll(/^/gm, "  ");
    const call = async (path: string, name: string, more: object = {}) => {
      const text = `dataProduct:\n${dataProduct}\ncomponentIdToProvision: urn:dmb:cmp:examples:notes:0:${name}\n`;
      const body = { descriptorKind: "COMPONENT_DESCRIPTOR", descriptor: text, ...more };
      const answer = await fetch(`${adapterUrl}/v1/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body).replaceAll("notes-published", "notes-drafts"),
      });
      return { status: answer.status, body: (await answer.json()) as { errors?: string[]; result?: string } };
    };
    expect((await call("provision", "drafts")).status).toBe(200);
    expect(await call("provision", "published")).toMatchObject({
      status: 400,
      body: { errors: ["/components/1: it belongs to urn:dmb:cmp:examples:notes:0:drafts"] },
    });
    writeFileSync(join(folder, "development/notes-drafts/first.md"), "# First\n");
    expect((await call("unprovision", "drafts", { removeData: false })).status).toBe(200);
    expect(readdirSync(join(folder, "development/notes-drafts"))).toEqual(["first.md"]);
    expect((await call("unprovision", "drafts", { removeData: true })).status).toBe(200);
    expect(directories()).toEqual([]);
  });
});

describe("the packed kit", () => {
  it("serves the example outside of the repository", async () => {
    const home = mkdtempSync(join(tmpdir(), "plinth-kit-test-"));
    try {
      const packed = spawnSync(process.execPath, ["scripts/pack-adapter-kit.ts", home], {
        cwd: root,
        encoding: "utf8",
      });
      expect({ status: packed.status, err: packed.stderr }).toEqual({ status: 0, err: "" });
      const modules = join(home, "node_modules");
      mkdirSync(modules);
      spawnSync("tar", ["xzf", packed.stdout.trim(), "-C", modules]);
      const own = join(modules, "plinth");
      spawnSync("mv", [join(modules, "package"), own]);
      const manifest = JSON.parse(readFileSync(join(own, "package.json"), "utf8")) as {
        dependencies: object;
      };
      // What npm would install beside it, and what these need in turn.
      mkdirSync(join(own, "node_modules"));
      for (const name of Object.keys(manifest.dependencies)) {
        symlinkSync(join(root, "node_modules", name), join(own, "node_modules", name));
      }
      writeFileSync(join(home, "package.json"), JSON.stringify({ type: "module" }));
      writeFileSync(join(home, "main.ts"), readFileSync(join(root, "examples/adapter/main.ts")));
      const child = spawn(process.execPath, ["main.ts", "0", home], {
        cwd: home,
        stdio: ["ignore", "pipe", "inherit"],
      });
      const [line] = await once(createInterface({ input: child.stdout }), "line");
      const { listening } = JSON.parse(String(line)) as { listening: string };
      expect(await (await fetch(`${listening}/healthz`)).json()).toEqual({
        status: "ok",
        adapter: "directories",
      });
      child.kill("SIGTERM");
      expect(await once(child, "exit")).toEqual([0, null]);
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});
