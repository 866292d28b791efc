/** Locations at addresses and in repositories, and what happens to them as time goes on. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tokenOf, until, type Answer } from "../support/server.ts";
import { entityText, namesOf, startCatalogueFixture, type CatalogueFixture } from "./catalogue-fixture.ts";
import { freePort, startHttpPeer, type HttpPeer } from "../support/http-peer.ts";

let fixture: CatalogueFixture;
let web: HttpPeer;
let dataDir: string;
const pages = new Map<string, string>();

beforeAll(async () => {
  web = await startHttpPeer((request, response) => {
    const text = pages.get(request.url ?? "");
    if (request.url === "/moved.yaml") response.writeHead(302, { location: "/a/catalog-info.yaml" }).end();
    else response.writeHead(text === undefined ? 404 : 200).end(text);
  });
  const port = await freePort();
  fixture = await startCatalogueFixture({
    workers: "on",
    onConfig(config) {
      dataDir = config.dataDir;
      config.server.port = port;
      // So that the server's own address is not the one that its repositories are fetched from.
      config.server.baseUrl = "http://127.0.0.1:0";
      const host = `127.0.0.1:${port}`;
      config.integrations.gitlab = [{ host, apiBaseUrl: `http://${host}`, token: tokenOf("viewer") }];
    },
  });
});
afterAll(async () => {
  await fixture.close();
  await web.close();
});

const register = (type: string, target: string): Promise<Answer> =>
  fixture.catalog({ method: "POST", path: "/locations", body: { type, target } });
const read = (ref: string): Promise<Answer> => fixture.catalog({ path: `/entities/by-name/${ref}` });

describe("an address", () => {
  it("is read with what lies beside it", async () => {
    pages.set(
      "/a/catalog-info.yaml",
      entityText("API", "web", "{ type: openapi, definition: { $text: b/c.txt } }"),
    );
    pages.set("/a/b/c.txt", "beside");
    const { status, body } = await register("url", `${web.url}/a/catalog-info.yaml`);
    expect([status, body.entities[0].spec.definition]).toEqual([201, "beside"]);
    expect(body.entities[0].metadata.annotations["backstage.io/managed-by-location"]).toBe(
      `url:${web.url}/a/catalog-info.yaml`,
    );
  });

  it.each([
    ["/none.yaml", "There is no such file."],
    ["/moved.yaml", "The address answers 302."],
  ])("%s is refused: %s", async (path, message) => {
    const { status, body } = await register("url", web.url + path);
    expect([status, body.error.problems[0].message]).toEqual([400, message]);
  });

  it.each([
    ["url", "http://169.254.169.254/latest"],
    ["git", "http://169.254.169.254/a.git"],
    ["url", "file:///etc/passwd"],
    ["git", "ssh://git@host/a.git"],
    ["git", "ext::sh -c true"],
    ["git", "http://user:secret@127.0.0.1/a.git"],
    ["git", "http://127.0.0.1/a.git#--upload-pack=x"],
    ["git", "http://127.0.0.1/a.git#main:../../x"],
    ["url", "http://127.0.0.1/deep/..%2F..%2Fa.yaml"],
    ["url", "http://allowed.example\\@127.0.0.1/a.yaml"],
    ["git", "http://127.1/a.git"],
  ])("%s %s is refused before anything is called", async (type, target) => {
    const { status, body } = await register(type, target);
    expect([status, body.error.code, body.error.problems[0].where]).toEqual([
      400,
      "BUILDER_INVALID_LOCATION",
      "/target",
    ]);
  });

  it("of a location may name other addresses, never a file of this machine", async () => {
    await fixture.write("local.yaml", entityText("Domain", "local"));
    pages.set(
      "/l.yaml",
      entityText(
        "Location",
        "l",
        `{ type: file, targets: ["${web.url}/d.yaml", "/etc/passwd", "../x.yaml"] }`,
      ),
    );
    pages.set("/d.yaml", entityText("Domain", "d"));
    const { body } = await register("url", `${web.url}/l.yaml`);
    expect(namesOf(body.entities)).toEqual(["l", "d"]);
    expect(body.location.problems.map(({ message }: { message: string }) => message)).toEqual([
      "The target /etc/passwd leads out of the location.",
      "The target ../x.yaml leads out of the location.",
    ]);
  });
});

describe("a repository", () => {
  const git = promisify(execFile);
  let work: string;
  let bare: string;
  const commit = async (files: Record<string, string>): Promise<void> => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(work, path)), { recursive: true });
      await writeFile(join(work, path), text);
    }
    const as = ["-c", "user.name=a", "-c", "user.email=a@b.test", "-c", "commit.gpgsign=false"];
    await git("git", ["add", "-A"], { cwd: work });
    await git("git", [...as, "commit", "-qm", "x"], { cwd: work });
    await git("git", ["push", "-q", bare, "HEAD:refs/heads/main"], { cwd: work });
  };
  beforeAll(async () => {
    work = await mkdtemp(join(tmpdir(), "plinth-git-"));
    bare = join(dataDir, "builder/repositories/orders.git");
    await git("git", ["init", "-q", "-b", "main", work]);
    await git("git", ["init", "-q", "--bare", "-b", "main", bare]);
    await commit({
      "catalog-info.yaml": entityText("System", "sea.ships.0", "{ domain: sea }"),
      "parts/hull/catalog-info.yaml": entityText("Component", "sea.ships.0.hull", "{ system: sea.ships.0 }"),
      "parts/hull/parameters.yaml": "parameters: { a: 1 }\n",
    });
  });
  afterAll(() => rm(work, { recursive: true, force: true }));

  it("of this server is read from its disk", async () => {
    // Nothing listens at the configured address, so this can only have been the disk.
    const { status, body } = await register("git", "http://127.0.0.1:0/git/orders.git");
    expect([status, namesOf(body.entities)]).toEqual([201, ["sea.ships.0", "sea.ships.0.hull"]]);
    expect(body.entities[1].metadata.annotations["backstage.io/managed-by-location"]).toBe(
      "url:http://127.0.0.1:0/git/orders.git/blob/HEAD/parts/hull/catalog-info.yaml",
    );
    const gone = await fixture.catalog({ method: "DELETE", path: `/locations/${body.location.id}` });
    expect(gone.status).toBe(204);
  });

  it("of another server is fetched, by its address or that of a file in it", async () => {
    const base = `${fixture.server.url}/git/orders.git`;
    const tried = await fixture.catalog({
      method: "POST",
      path: "/locations?dryRun=true",
      body: { type: "git", target: `${base}#main:parts` },
    });
    expect([tried.status, namesOf(tried.body.entities ?? [])]).toEqual([201, ["sea.ships.0.hull"]]);
    const { status, body } = await register("url", `${base}/blob/main/parts/hull/catalog-info.yaml`);
    expect([status, namesOf(body.entities)]).toEqual([201, ["sea.ships.0.hull"]]);
    expect(await storedFiles("component:default/sea.ships.0.hull")).toEqual([
      "catalog-info.yaml",
      "parameters.yaml",
    ]);
  });

  it("gives the files of the branch whose commit was looked up, not of a tag of the same name", async () => {
    await git("git", ["-C", bare, "tag", "twin", "main"]);
    await commit({ "twin/catalog-info.yaml": entityText("Domain", "twin") });
    await git("git", ["-C", bare, "branch", "twin", "main"]);
    const { status, body } = await register("git", `${fixture.server.url}/git/orders.git#twin:twin`);
    expect([status, namesOf(body.entities ?? [])]).toEqual([201, ["twin"]]);
    await git("git", ["-C", bare, "tag", "-d", "twin"]);
    await git("git", ["-C", bare, "branch", "-D", "twin"]);
  });

  it.each([
    ["orders.git#gone", "The repository has no branch or tag gone."],
    ["orders.git#main:none.yaml", "The repository has no none.yaml there."],
  ])("refuses %s: %s", async (target, message) => {
    const { status, body } = await register("git", `${fixture.server.url}/git/${target}`);
    expect([status, body.error.problems[0].message]).toEqual([400, message]);
  });

  it("is read again when somebody asks, and only what changed is changed", async () => {
    const target = "http://127.0.0.1:0/git/orders.git#main:parts/mast/catalog-info.yaml";
    await commit({
      "parts/mast/catalog-info.yaml": `${entityText("Component", "sea.ships.0.mast")}---\n${entityText("Component", "sea.ships.0.rope")}`,
    });
    const { body } = await register("git", target);
    const [before] = body.entities;
    const refresh = (): Promise<Answer> =>
      fixture.catalog({
        method: "POST",
        path: "/refresh",
        body: { entityRef: "component:sea.ships.0.mast" },
      });
    expect((await refresh()).status).toBe(200);
    const refreshed = (): Promise<Answer> => fixture.catalog({ path: `/locations/${body.location.id}` });
    await until(refreshed, (answer) => answer.body.refreshedAt !== body.location.refreshedAt);
    expect((await read("component/default/sea.ships.0.mast")).body).toEqual(before);
    // One entity is changed, the other is gone.
    await commit({
      "parts/mast/catalog-info.yaml": entityText("Component", "sea.ships.0.mast", "{ type: oak }"),
    });
    await refresh();
    const mast = await until(
      () => read("component/default/sea.ships.0.mast"),
      (answer) => answer.body.spec.type === "oak",
    );
    expect(mast.body.metadata.uid).toBe(before.metadata.uid);
    expect(mast.body.metadata.etag).not.toBe(before.metadata.etag);
    const rope = await read("component/default/sea.ships.0.rope");
    expect(rope.body.metadata.annotations["backstage.io/orphan"]).toBe("true");
    // Errors are reported, and known entities stay.
    await commit({ "parts/mast/catalog-info.yaml": "kind: [" });
    await refresh();
    const broken = await until(refreshed, (answer) => answer.body.problems.length > 0);
    expect(broken.body.problems[0].where).toMatch(/^parts\/mast\/catalog-info\.yaml:1:\d+$/);
    expect((await read("component/default/sea.ships.0.mast")).body.spec.type).toBe("oak");
    await commit({
      "parts/mast/catalog-info.yaml": `${entityText("Component", "sea.ships.0.mast", "{ type: oak }")}---\n${entityText("Component", "sea.ships.0.rope")}`,
    });
    await refresh();
    const back = await until(
      () => read("component/default/sea.ships.0.rope"),
      (answer) => answer.body.metadata.annotations["backstage.io/orphan"] === undefined,
    );
    expect(back.body.metadata.uid).toBe(rope.body.metadata.uid);
    await until(refreshed, (answer) => answer.body.problems.length === 0);
  });
});

async function storedFiles(ref: string): Promise<string[]> {
  const { rows } = await fixture.server.db.database.pool.query<{ name: string }>(
    "select name from catalogue_files f join catalogue_entities e using (uid) where e.ref = $1 order by name",
    [ref],
  );
  return rows.map(({ name }) => name);
}
