/** Without an address of its own in the configuration, a server tells the one that it really listens on. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startWholeServer, tokenOf, until, type WholeServer } from "../support/server.ts";

let server: WholeServer;
beforeAll(async () => {
  server = await startWholeServer({
    configure(config) {
      config.mesh.builder.catalogue.folders = [config.dataDir];
    },
  });
});
afterAll(() => server.close());

const template = {
  apiVersion: "scaffolder.backstage.io/v1beta3",
  kind: "Template",
  metadata: { name: "publishes" },
  spec: {
    type: "system",
    owner: "user:default/ada",
    steps: [
      {
        id: "write",
        action: "fetch:plain:file",
        input: { url: "./template.yaml", targetPath: "read-me.yaml" },
      },
      { id: "publish", action: "publish:git", input: { repoUrl: "ships" } },
    ],
    output: { url: "${{ steps.publish.output.remoteUrl }}" },
  },
};

it("a repository of this server is published, and found, under that address", async () => {
  const target = join(server.config.dataDir, "template.yaml");
  await writeFile(target, JSON.stringify(template));
  const location = { type: "file", target };
  const registered = await server.catalog({ method: "POST", path: "/locations", body: location });
  expect(registered.status, registered.text).toBe(201);
  const body = { templateRef: "publishes", values: {} };
  const started = await server.builder({ method: "POST", path: "/templates/instantiate", body });
  const ended = await until(
    () => server.builder({ path: `/templates/tasks/${started.body.id}` }),
    ({ body: task }) => task.status === "completed" || task.status === "failed",
  );
  expect([ended.body.error, ended.body.output.url]).toEqual([null, `${server.url}/git/ships.git`]);
  const refs = await fetch(`${ended.body.output.url}/info/refs?service=git-upload-pack`, {
    headers: { authorization: `Bearer ${tokenOf("admin")}` },
  });
  expect([refs.status, await refs.text()]).toEqual([200, expect.stringContaining("refs/heads/")]);
});
