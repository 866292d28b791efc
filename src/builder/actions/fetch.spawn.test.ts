import { execFile } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, symlink } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serveGit } from "../../../test/builder/hosts/git-http.ts";
import { packArchive } from "../../platform/archive/write-archive.ts";
import { parseYaml } from "../catalogue/entities/yaml.ts";
import { actionBench, readFiles, writeFiles, type Bench } from "./testdata.ts";
import { fetchPlain, fetchPlainFile, fetchTemplate, fetchTemplateFile } from "./fetch-template.ts";

const exec = promisify(execFile);

let bench: Bench;
const cleanups: (() => unknown)[] = [];
beforeEach(async () => void (bench = await actionBench()));
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
  await bench.close();
});

const skeleton = (files: Record<string, string | Uint8Array>): Promise<void> =>
  writeFiles(join(bench.folder, "template"), files);

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("fetch:template", () => {
  const values = { name: "ship", parts: ["hull", "sail"], with_docs: false };

  it("renders contents and names, keeps modes, copies what is no text, and makes empty folders", async () => {
    const png = Buffer.from([0x89, 0x50, 0, 0x24, 0x7b, 0x7b, 0xff]);
    await skeleton({
      "skeleton/${{ values.name }}/README.md":
        "# ${{ values.name | upper }}\n{% for p in values.parts %}- ${{ p }}\n{% endfor %}",
      "skeleton/run.sh": "echo ${{ values.name }}",
      "skeleton/logo.png": png,
      "skeleton/plain.txt": "no expressions { } $x",
      "skeleton/{% if values.with_docs %}docs{% endif %}/index.md": "left out",
      "skeleton/{% if values.with_docs %}x.md{% endif %}": "left out",
      "skeleton/.github/{% if values.with_docs %}docs.yaml{% endif %}": "left out",
      "skeleton/.github/ci.yaml": "on: ${{ values.name }}",
      "skeleton/.git/config": "never",
    });
    await mkdir(join(bench.folder, "template", "skeleton", "empty"));
    await chmod(join(bench.folder, "template", "skeleton", "run.sh"), 0o755);
    await bench.run(fetchTemplate, { url: "./skeleton", targetPath: "out", values });
    const files = await readFiles(bench.workspace);
    expect(files).toEqual({
      "out/.github/ci.yaml": "on: ship",
      "out/empty/": "",
      "out/logo.png": png.toString("utf8"),
      "out/plain.txt": "no expressions { } $x",
      "out/run.sh*": "echo ship",
      "out/ship/README.md": "# SHIP\n- hull\n- sail\n",
    });
  });

  it("copies without templating what it is told to, with or without its name", async () => {
    await skeleton({ "s/ci/${{ values.name }}.yaml": "${{ x }}", "s/a.txt": "${{ values.name }}" });
    await bench.run(fetchTemplate, { url: "s", values, copyWithoutTemplating: ["ci/**"] });
    expect(await readFiles(bench.workspace)).toEqual({ "a.txt": "ship", "ci/ship.yaml": "${{ x }}" });
    await bench.run(fetchTemplate, { url: "s", values, targetPath: "b", copyWithoutRender: ["ci"] });
    expect(await readFiles(join(bench.workspace, "b"))).toEqual({
      "a.txt": "ship",
      "ci/${{ values.name }}.yaml": "${{ x }}",
    });
  });

  it("copies a %SKELETON as it is, and writes what was given beside it", async () => {
    const catalogInfo = "%SKELETON\nkind: Component\nmetadata: { name: '${{ values.name }}' }\n";
    await skeleton({
      "s/${{ values.name }}/catalog-info.yaml": catalogInfo,
      "s/${{ values.name }}/environments/qa/configurations.yaml": "a: ${{ env.size }}",
      "s/${{ values.name }}/README.md": "# ${{ values.name }}",
      "s/docs/plain.md": "\ufeff%SKELETON \r\n${{ values.name }}",
    });
    await bench.run(
      fetchTemplate,
      { url: "s", values: { name: "ship", note: "${{ values.name }}" } },
      { parameters: { title: "A ${{ 40+2 }}" }, environment: { qa: { size: "{# 3 #}" } } },
    );
    expect(await readFiles(bench.workspace)).toEqual({
      "docs/plain.md": "\ufeff%SKELETON \r\n${{ values.name }}",
      "ship/README.md": "# ship",
      "ship/catalog-info.yaml": catalogInfo,
      "ship/environments/qa/configurations.yaml": "a: ${{ env.size }}",
      "ship/parameters.yaml": [
        "parameters:",
        `  title: \${{ "A \${{ 40+2 }}" }}`,
        "values:",
        "  name: ship",
        `  note: \${{ "\${{ values.name }}" }}`,
        "environmentParameters:",
        "  qa:",
        `    size: '\${{ "{# 3 #}" }}'`,
        "",
      ].join("\n"),
    });
  });

  it("merges what was given over the sections of the skeleton's own file, which keeps its expressions", async () => {
    await skeleton({
      "s/catalog-info.yaml": "%SKELETON\n",
      "s/parameters.yaml": [
        "readonly:",
        "  __system__: ${{ parameters.system }}",
        "parameters:",
        "  slug: ${{ parameters.title | lower }}",
        "  title: Untitled",
        "values: { nested: { a: 1, b: 1 } }",
        "refs: [kept]",
      ].join("\n"),
    });
    const given = { parameters: { title: "Ferries", system: "system:default/travel.ferries.0" } };
    await bench.run(fetchTemplate, { url: "s", values: { nested: { b: 2 } } }, given);
    const { "parameters.yaml": text = "" } = await readFiles(bench.workspace);
    const parsed = parseYaml(text, { file: "parameters.yaml" });
    expect(parsed.ok && parsed.value).toEqual({
      parameters: { ...given.parameters, slug: "${{ parameters.title | lower }}" },
      values: { nested: { a: 1, b: 2 } },
      readonly: { __system__: "${{ parameters.system }}" },
      refs: ["kept"],
    });
  });

  it("renders parameters that are no YAML without it once, and what comes out is text", async () => {
    await skeleton({
      "s/catalog-info.yaml": "%SKELETON\n",
      "s/parameters.yaml":
        "values:\n{%- for part in values.parts %}\n  ${{ part }}: ${{ values.note | dump }}\n{%- endfor %}\n",
    });
    await bench.run(fetchTemplate, { url: "s", values: { ...values, note: "${{ 1 + 1 }}" } });
    const { "parameters.yaml": text = "" } = await readFiles(bench.workspace);
    const parsed = parseYaml(text, { file: "parameters.yaml" });
    const literal = '${{ "${{ 1 + 1 }}" }}';
    expect(parsed.ok && parsed.value).toMatchObject({
      values: { hull: literal, sail: literal, note: literal },
    });
    await skeleton({ "s/parameters.yaml": "values: [${{ values.name | dump }}" });
    await expect(bench.run(fetchTemplate, { url: "s", values })).rejects.toMatchObject({
      code: "BUILDER_RENDER_FAILED",
      problems: [{ where: expect.stringMatching(/^parameters\.yaml:1:\d+$/) }],
    });
  });

  it("leaves configurations that are templates to who resolves the entity, and writes no other file", async () => {
    await skeleton({
      "s/a/catalog-info.yaml": "kind: Component\nmetadata: { name: '${{ values.name }}' }",
      "s/a/environments/qa/configurations.yaml": "b: ${{ values.name }}",
      "s/b/catalog-info.yaml": "kind: Component\nmetadata: { name: '${{ values.name }}' }",
      "s/b/parameters.yaml": "helm: ${{ values.name }}",
    });
    await bench.run(fetchTemplate, { url: "s", values: { name: "ship" } });
    expect(await readFiles(bench.workspace)).toEqual({
      "a/catalog-info.yaml": "kind: Component\nmetadata: { name: 'ship' }",
      "a/environments/qa/configurations.yaml": "b: ${{ values.name }}",
      "a/parameters.yaml": "parameters: {}\nvalues:\n  name: ship\n",
      "b/catalog-info.yaml": "kind: Component\nmetadata: { name: 'ship' }",
      "b/parameters.yaml": "helm: ship",
    });
  });

  it("renders only files of an extension, which they lose", async () => {
    await skeleton({
      "s/a.txt.njk": "${{ values.name }}",
      "s/${{ values.name }}.txt": "${{ values.name }}",
      "s/b.j2": "",
    });
    await bench.run(fetchTemplate, { url: "s", values, templateFileExtension: true });
    expect(await readFiles(bench.workspace)).toEqual({
      "a.txt": "ship",
      "b.j2": "",
      "ship.txt": "${{ values.name }}",
    });
  });

  it("keeps what is there unless told to replace it", async () => {
    await skeleton({ "s/a.txt": "new", "s/b.txt": "new" });
    await writeFiles(bench.workspace, { "a.txt": "old" });
    const { said } = await bench.run(fetchTemplate, { url: "s" });
    expect(said.at(-1)).toBe("Wrote 1 files. 1 were there already and stayed as they are.");
    expect(await readFiles(bench.workspace)).toEqual({ "a.txt": "old", "b.txt": "new" });
    await bench.run(fetchTemplate, { url: "s", replace: true });
    expect(await readFiles(bench.workspace)).toEqual({ "a.txt": "new", "b.txt": "new" });
  });

  it("trims blocks when told to", async () => {
    await skeleton({ "s/a": "x\n  {% if true %}\n  y\n  {% endif %}\nz\n" });
    await bench.run(fetchTemplate, { url: "s", trimBlocks: true, lstripBlocks: true });
    expect(await readFiles(bench.workspace)).toEqual({ a: "x\n  y\nz\n" });
    await bench.run(fetchTemplate, { url: "s", replace: true });
    expect(await readFiles(bench.workspace)).toEqual({ a: "x\n  \n  y\n  \nz\n" });
  });

  it("lists every file that cannot be rendered and writes none", async () => {
    await skeleton({
      "s/a": "ok",
      "s/b": "x\n ${{ values.name | nofilter }}",
      "s/c": "{% if %}",
      "s/${{ 1 + }}": "",
    });
    const failure = await bench.run(fetchTemplate, { url: "s", values }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: "BUILDER_RENDER_FAILED",
      problems: [
        { where: expect.stringMatching(/^name of \$\{\{ 1 \+ \}\}:1:\d+$/) },
        { where: expect.stringMatching(/^b:2:\d+$/), message: expect.stringContaining("nofilter") },
        { where: expect.stringMatching(/^c:1:\d+$/) },
      ],
    });
    expect(await readFiles(bench.workspace)).toEqual({});
  });

  it("gives up a file that takes too long, by name", async () => {
    await skeleton({
      "s/a": "ok",
      "s/slow": "${{ 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab' | replace(r/^(a+)+$/, '') }}",
    });
    await expect(bench.run(fetchTemplate, { url: "s" })).rejects.toMatchObject({
      code: "BUILDER_RENDER_FAILED",
      problems: [{ where: "slow", message: "it takes too long to render" }],
    });
  });

  it("renders what was written for cookiecutter", async () => {
    await skeleton({
      "s/{{cookiecutter.name}}.txt": "{{ cookiecutter.name }} ${{ x }} {{ cookiecutter.list | jsonify }}",
    });
    const given = { name: "fleet", list: ["a"] };
    await bench.run(fetchTemplate, { url: "s", values: given, cookiecutterCompat: true });
    expect(await readFiles(bench.workspace)).toEqual({ "fleet.txt": 'fleet $ ["a"]' });
  });

  it("gives up patterns that take too long", async () => {
    await skeleton({ [`s/${"a".repeat(250)}`]: "x" });
    const slow = `${"{*,**}".repeat(6)}${"a".repeat(120)}b`;
    const copyWithoutTemplating = Array.from({ length: 1_000 }, () => slow);
    const run = bench.run(fetchTemplate, { url: "s", copyWithoutTemplating });
    await expect(run).rejects.toMatchObject({ code: "BUILDER_RENDER_FAILED" });
  });

  it.each([
    [{ templateFileExtension: ".x", cookiecutterCompat: true }, "cannot be given together"],
    [{ copyWithoutRender: ["a"], copyWithoutTemplating: ["a"] }, "cannot be given together"],
    [{ templateFileExtension: ".x", copyWithoutTemplating: ["a"] }, "cannot be given together"],
    [{ targetPath: "../out" }, "climbs"],
  ])("refuses %j", async (input, why) => {
    await skeleton({ "s/a": "" });
    await expect(bench.run(fetchTemplate, { url: "s", ...input })).rejects.toMatchObject({
      code: "BUILDER_ACTION_INPUT",
      message: expect.stringContaining(why),
    });
  });

  it("does not let a name render to a place elsewhere", async () => {
    await skeleton({ "s/${{ values.up }}": "x" });
    const run = bench.run(fetchTemplate, { url: "s", values: { up: "../../x" }, targetPath: "a/b" });
    await expect(run).rejects.toThrow("climbs");
    await expect(
      bench.run(fetchTemplate, { url: "s", values: { up: ".git/config" } }),
    ).resolves.toBeDefined();
    expect(await readFiles(bench.workspace)).toEqual({ "a/b/": "" });
  });

  it("renders one file to one place", async () => {
    await skeleton({ "s/a.md": "# ${{ values.name }}" });
    await bench.run(fetchTemplateFile, { url: "s/a.md", targetPath: "docs/${x}.md", values });
    expect(await readFiles(bench.workspace)).toEqual({ "docs/${x}.md": "# ship" });
    await expect(bench.run(fetchTemplateFile, { url: "s", targetPath: "b" })).resolves.toBeDefined();
    await skeleton({ "s/b.md": "" });
    await expect(bench.run(fetchTemplateFile, { url: "s", targetPath: "b" })).rejects.toThrow(
      "is not one file",
    );
  });
});

describe("fetch:plain", () => {
  it("takes no link out of the template's folder", async () => {
    await skeleton({ "s/a": "a" });
    await writeFiles(join(bench.folder, "outside"), { secret: "x" });
    await symlink(join(bench.folder, "outside"), join(bench.folder, "template", "out"));
    await symlink(join(bench.folder, "outside", "secret"), join(bench.folder, "template", "s", "link"));
    await expect(bench.run(fetchPlain, { url: "./out" })).rejects.toThrow("a link leads out");
    const { said } = await bench.run(fetchPlain, { url: "./s" });
    expect(said).toContain("Left out, because only files and folders are copied: link");
    expect(await readFiles(bench.workspace)).toEqual({ a: "a" });
  });

  it("unpacks an archive of a host, over a redirect, with the token for the first host only", async () => {
    const archive = await packArchive({ "ship-main/a.txt": "a ${{ x }}", "ship-main/b/c.txt": "c" });
    const seen: (string | undefined)[] = [];
    const store = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.end(archive);
    });
    const first = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(302, { location: `${store}/x.tar.gz` }).end();
    });
    await bench.run(fetchPlain, { url: `${first}/ship.tar.gz`, targetPath: "t", token: "t0ken" });
    expect(await readFiles(bench.workspace)).toEqual({ "t/a.txt": "a ${{ x }}", "t/b/c.txt": "c" });
    expect(seen).toEqual(["Bearer t0ken", undefined]);
  });

  it("takes one file under its name, or another", async () => {
    const url = await serve((_request, response) => response.end("hello"));
    await bench.run(fetchPlain, { url: `${url}/x/hello.txt` });
    await bench.run(fetchPlainFile, { url: `${url}/x/hello.txt`, targetPath: "deep/other.txt" });
    expect(await readFiles(bench.workspace)).toEqual({ "deep/other.txt": "hello", "hello.txt": "hello" });
  });

  it.each([
    ["/missing", "the answer was 404"],
    ["/loop", "redirects more than 5 times"],
    ["/broken.tar.gz", "not a sound .tar.gz archive"],
    ["/metadata", "may not be called"],
  ])("tells what is wrong with %s", async (path, why) => {
    const url = await serve((request, response) => {
      if (request.url === "/loop") response.writeHead(301, { location: "/loop" }).end();
      else if (request.url === "/metadata")
        response.writeHead(302, { location: "http://169.254.169.254/x" }).end();
      else if (request.url === "/broken.tar.gz") response.end("no archive");
      else response.writeHead(404).end();
    });
    await expect(bench.run(fetchPlain, { url: url + path })).rejects.toThrow(why);
    expect(await readFiles(bench.workspace)).toEqual({});
  });

  it("stops an archive that unpacks to too much", async () => {
    const bomb = await packArchive({ "a.bin": new Uint8Array(15 * 1024 * 1024) });
    const url = await serve((_request, response) => response.end(bomb));
    await expect(bench.run(fetchPlain, { url: `${url}/a.tgz` })).rejects.toMatchObject({
      code: "BUILDER_FETCH_TOO_LARGE",
    });
  });

  it("refuses an archive that writes elsewhere", async () => {
    const archive = await packArchive({ "../evil": "x" });
    const url = await serve((_request, response) => response.end(archive));
    await expect(bench.run(fetchPlain, { url: `${url}/a.tgz` })).rejects.toThrow("climbs");
  });
});

describe("from a git repository", () => {
  async function remote(): Promise<string> {
    const root = join(bench.folder, "remotes");
    const work = join(bench.folder, "work");
    await writeFiles(work, { "s/a.txt": "a ${{ values.x }}", "s/b/c.txt": "c", "top.txt": "top" });
    await symlink("/etc/passwd", join(work, "s", "link"));
    const git = (...args: string[]) =>
      exec("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: work });
    await git("init", "-q", "-b", "main");
    await git("add", "-A");
    await git("commit", "-qm", "first");
    await git("clone", "-q", "--bare", work, join(root, "acme", "ship.git"));
    return serve((request, response) => serveGit(root, request, response));
  }

  it("fetches a folder, and a file beside the template", async () => {
    const url = await remote();
    const { said } = await bench.run(fetchPlain, { url: `${url}/acme/ship.git/tree/main/s` });
    expect(await readFiles(bench.workspace)).toEqual({ "a.txt": "a ${{ values.x }}", "b/c.txt": "c" });
    expect(said).toContain("Left out, because only files and folders are copied: link");
    const template = {
      entityRef: "template:default/x",
      baseUrl: `url:${url}/acme/ship.git/blob/main/s/template.yaml`,
    };
    await bench.run(fetchTemplate, { url: ".", targetPath: "t", values: { x: 1 } }, { template });
    await bench.run(fetchPlainFile, { url: "../top.txt", targetPath: "t/top" }, { template });
    expect(await readFiles(join(bench.workspace, "t"))).toEqual({
      "a.txt": "a 1",
      "b/c.txt": "c",
      top: "top",
    });
  });

  it.each([
    ["/tree/main/never", 'The repository has no "never"'],
    ["/tree/other/s", "git fetch failed"],
    ["/tree/--upload-pack=x/s", "is no name of a branch"],
  ])("tells what is wrong with %s", async (path, why) => {
    const url = await remote();
    await expect(bench.run(fetchPlain, { url: `${url}/acme/ship.git${path}` })).rejects.toThrow(why);
  });

  it("runs nothing that the outbound policy refuses", async () => {
    await expect(bench.run(fetchPlain, { url: "http://169.254.169.254/a/b.git" })).rejects.toMatchObject({
      code: "BUILDER_FETCH_FAILED",
      message: expect.stringContaining("may not be called"),
    });
  });
});
