/**
 * Templates in the style of public ones, through the product's own way: each is registered from its file, tried with its
 * input, and what it makes is built for each environment. What must come out is literal, in the folder of the fixture.
 */
import { readFile, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packArchive } from "../../src/platform/archive/write-archive.ts";
import { parseYaml } from "../../src/builder/catalogue/entities/yaml.ts";
import { send, startWholeServer, tokenOf, until, type Answer, type WholeServer } from "../support/server.ts";

const fixtures = fileURLToPath(new URL("fixtures", import.meta.url));
const names = (await readdir(fixtures)).toSorted();
const environments = ["development", "production"];

let server: WholeServer;

beforeAll(async () => {
  server = await startWholeServer({
    workers: "off",
    configure(config) {
      config.mesh.builder.catalogue.folders = [fixtures];
    },
  });
});
afterAll(() => server.close());

describe("templates", () => {
  it("are at least fifty", () => expect(names.length).toBeGreaterThanOrEqual(50));

  it.concurrent.each(names)("%s", async (name) => {
    const folder = join(fixtures, name);
    const expected = await readTexts(join(folder, "expected"));
    const made = await instantiate(name, await readInput(folder));
    expect(made.result).toEqual(JSON.parse(expected["result.json"] ?? "null"));
    expect(made.files).toEqual(below(expected, "files/"));
    const archive = await archiveOf(name, made.files);
    for (const environment of environments) {
      const wanted = expected[`descriptor.${environment}.json`] ?? "null";
      expect(await build(archive, environment)).toEqual(JSON.parse(wanted));
    }
  });
});

interface Input {
  values: Record<string, unknown>;
  environmentOverrides?: Record<string, unknown>;
  secrets?: Record<string, string>;
}

async function readInput(folder: string): Promise<Input> {
  const parsed = parseYaml(await readFile(join(folder, "input.yaml"), "utf8"), { file: "input.yaml" });
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.value as unknown as Input;
}

/** Registers the template of a fixture and tries it. */
async function instantiate(name: string, input: Input) {
  const body = { type: "file", target: `${name}/template.yaml` };
  const registered = await postWhenFree("/api/catalog/locations", body);
  expect([registered.status, registered.text]).toEqual([201, expect.any(String)]);
  const entities: { kind: string; metadata: { name: string } }[] = JSON.parse(registered.text).entities;
  const template = entities.find(({ kind }) => kind === "Template");
  const request = { templateRef: `template:default/${template?.metadata.name}`, ...input };
  const { status, text } = await postWhenFree("/api/builder/templates/dry-run", request);
  expect([status, text]).toEqual([200, expect.any(String)]);
  const tried = JSON.parse(text) as Tried;
  return { result: resultOf(tried), files: filesOf(tried) };
}

interface Tried {
  status: string;
  error: string | null;
  output: Record<string, unknown>;
  steps: { id: string; action: string }[];
  log: { body: { message: string; stepId?: string; status?: string } }[];
  directoryContents: { path: string; base64Content: string; executable: boolean }[];
}

/** What a fixture states in `result.json`; what is empty is left out. */
function resultOf({ status, error, output, steps, log, directoryContents }: Tried) {
  const ended = Object.fromEntries(
    log.flatMap(({ body }) =>
      body.stepId === undefined || body.status === undefined ? [] : [[body.stepId, body.status]],
    ),
  );
  const loggers = new Set(steps.filter(({ action }) => action === "debug:log").map(({ id }) => id));
  const logged = log
    .filter(({ body }) => body.status === undefined && loggers.has(body.stepId ?? ""))
    .map(({ body }) => body.message)
    .filter((message) => !/^Turn \w+ begins\.$/.test(message));
  const executable = directoryContents.filter((file) => file.executable).map(({ path }) => path);
  return {
    status,
    ...(error === null ? {} : { error }),
    steps: ended,
    output,
    ...(logged.length === 0 ? {} : { logged }),
    ...(executable.length === 0 ? {} : { executable }),
  };
}

const filesOf = ({ directoryContents }: Tried): Record<string, string> =>
  Object.fromEntries(
    directoryContents.map(({ path, base64Content }) => [
      path,
      Buffer.from(base64Content, "base64").toString(),
    ]),
  );

/**
 * The entity directories that a run has made, and those of `companions`: what the system has besides. A workspace that
 * is one entity becomes a directory.
 */
async function archiveOf(name: string, made: Record<string, string>): Promise<Buffer> {
  const files = "catalog-info.yaml" in made ? under(`${name}/`, made) : made;
  const isEntity = (directory: string) =>
    /^kind:\s*(?:System|Component)\s*$/im.test(files[`${directory}/catalog-info.yaml`] ?? "");
  const own = Object.entries(files).filter(([path]) => isEntity(path.split("/")[0] ?? ""));
  expect(own).not.toEqual([]);
  return packArchive({
    ...Object.fromEntries(own),
    ...(await readTexts(join(fixtures, name, "companions"))),
  });
}

async function build(archive: Buffer, environment: string): Promise<unknown> {
  const form = new FormData();
  form.set("environment", environment);
  form.set("archive", new Blob([new Uint8Array(archive)]), "archive.tar.gz");
  const headers = { authorization: `Bearer ${tokenOf("developer")}` };
  const url = `${server.url}/api/builder/descriptor`;
  const response = await fetch(url, { method: "POST", headers, body: form });
  const text = await response.text();
  expect([response.status, text]).toEqual([200, expect.any(String)]);
  return JSON.parse(text).descriptor;
}

/** The server reads and tries only a few at a time and refuses what is more. */
const postWhenFree = (path: string, body: unknown): Promise<Answer> =>
  until(
    () => send(server.url, { method: "POST", path, body }),
    ({ status }) => status !== 429 && status !== 503,
  );

/** All files of a folder by their path; none when there is no such folder. */
async function readTexts(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(files.map(async (path) => [relative(folder, path), await readFile(path, "utf8")])),
  );
}

const below = (files: Record<string, string>, prefix: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).flatMap(([path, text]) =>
      path.startsWith(prefix) ? [[path.slice(prefix.length), text]] : [],
    ),
  );

const under = (prefix: string, files: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [prefix + path, text]));
