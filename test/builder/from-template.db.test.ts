/** From a template to a repository and entities of the catalogue, over a whole server. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readFiles, writeFiles } from "../../src/builder/actions/testdata.ts";
import { startWholeServer, until, type Answer, type TestRole, type WholeServer } from "../support/server.ts";
import { callAs } from "./edit-calls.ts";
import { freePort } from "../support/http-peer.ts";

const exec = promisify(execFile);

let server: WholeServer;
let folder = "";

const template = {
  apiVersion: "scaffolder.backstage.io/v1beta3",
  kind: "Template",
  metadata: { name: "ship", title: "Ship" },
  spec: {
    owner: "user:default/ada",
    type: "outputport",
    parameters: { required: ["name"], properties: { name: { type: "string" }, parts: { type: "array" } } },
    steps: [
      {
        id: "fetch",
        action: "fetch:template",
        input: { url: "./skeleton", values: { name: "${{ parameters.name }}" } },
      },
      {
        id: "tidy",
        action: "fs:rename",
        input: { files: [{ from: "LICENSE.txt", to: "legal/LICENSE.txt" }] },
      },
      { id: "list", action: "fs:readdir", input: { paths: ["."], recursive: true } },
      { id: "owner", action: "catalog:fetch", input: { entityRef: "user:default/ada", optional: true } },
      {
        id: "publish",
        action: "dmb:publish:git",
        input: { repoUrl: "${{ parameters.name }}", gitCommitMessage: "Begin ${{ parameters.name }}" },
      },
      {
        id: "register",
        action: "catalog:register",
        input: {
          repoContentsUrl: "${{ steps.publish.output.repoContentsUrl }}",
          catalogInfoPath: "/catalog-info.yaml",
        },
      },
    ],
    output: {
      entityRef: "${{ steps.register.output.entityRef }}",
      remoteUrl: "${{ steps.publish.output.remoteUrl }}",
      files: "${{ steps.list.output.files | length }}",
    },
  },
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plinth-from-template-"));
  await writeFiles(folder, {
    "template/template.yaml": JSON.stringify(template),
    "template/skeleton/catalog-info.yaml":
      "apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata: { name: '${{ values.name }}' }\nspec: { type: outputport, owner: user:default/ada, lifecycle: test }\n",
    "template/skeleton/src/${{ values.name }}.sql": "select '${{ values.name }}'",
    "template/skeleton/LICENSE.txt": "free",
  });
  const port = await freePort();
  server = await startWholeServer({
    configure(config) {
      config.server.port = port;
      config.mesh.builder.catalogue.folders = [folder];
      config.startupActions.catalog = {
        practiceShaperLocations: [],
        accessRequestLocations: [],
        locations: [],
      };
    },
  });
  const target = join(folder, "template/template.yaml");
  const registered = await call("admin", "/api/catalog/locations", { type: "file", target });
  expect(registered.status, registered.text).toBe(201);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const call = (as: TestRole, path: string, body?: object): Promise<Answer> =>
  callAs(server, { as, path, body });

const builder = (path: string, body?: object): Promise<Answer> =>
  call("developer", `/api/builder${path}`, body);

async function instantiate(name: string): Promise<{ status: string; log: string }> {
  const { body } = await builder("/templates/instantiate", {
    templateRef: "template:default/ship",
    values: { name },
  });
  const { body: ended } = await until(
    () => builder(`/templates/tasks/${body.id}/status`),
    (answer) => ["completed", "failed", "cancelled"].includes(answer.body.status),
  );
  // A stream of an ended task replays and ends.
  const events = await fetch(`${server.url}/api/builder/templates/tasks/${body.id}/eventstream`, {
    headers: { authorization: `Bearer ${server.token("developer")}` },
  });
  return { status: ended.status, log: await events.text() };
}

it("publishes what the template makes, and the catalogue knows it", async () => {
  const { status, log } = await instantiate("sloop");
  expect(status, log).toBe("completed");
  const { body: entity } = await call("viewer", "/api/catalog/entities/by-name/component/default/sloop");
  expect(entity).toMatchObject({
    metadata: {
      annotations: {
        "backstage.io/managed-by-location": expect.stringContaining(`${server.url}/git/sloop.git`),
      },
    },
  });
  const clone = join(folder, "clone");
  const url = `${server.url}/git/sloop.git`.replace("://", `://x:${server.token("viewer")}@`);
  await exec("git", ["clone", "-q", url, clone]);
  expect(Object.keys(await readFiles(clone)).filter((path) => !path.startsWith(".git/"))).toEqual([
    "catalog-info.yaml",
    "legal/LICENSE.txt",
    "src/sloop.sql",
  ]);
});

it("fails where another instantiation has published, and leaves its repository as it is", async () => {
  expect((await instantiate("brig")).status).toBe("completed");
  const { status, log } = await instantiate("brig");
  expect(status).toBe("failed");
  expect(log).toContain('There is a repository \\"brig\\" already.');
});

it("registers although a connection to the database drops meanwhile", async () => {
  const { pool } = server.db.database;
  await pool.query(`create sequence drops;
    create function drop_connection() returns trigger language plpgsql as $$ begin
      if nextval('drops') = 1 then perform pg_terminate_backend(pg_backend_pid()); end if;
      return new;
    end $$;
    create trigger drops before insert on catalogue_locations for each row execute function drop_connection()`);
  const { status, log } = await instantiate("ketch");
  await pool.query("drop function drop_connection cascade");
  expect(status, log).toBe("completed");
  const { rows } = await pool.query("select last_value::int as inserts from drops");
  expect(rows[0].inserts).toBe(2);
});
