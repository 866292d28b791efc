import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { systemActor } from "../../platform/lib/actor.ts";
import { silentLogger } from "../../platform/lib/logger.ts";
import { createRenderer } from "../renderer.ts";
import { defaultArchiveLimits } from "./archive-limits.ts";
import { packArchive } from "../../platform/archive/write-archive.ts";
import { buildDescriptor } from "./service.ts";

const renderer = createRenderer({ workers: 1 });
afterAll(() => renderer.close());

const example = fileURLToPath(new URL("../../../examples/fleet-positions", import.meta.url));

const packExample = async (): Promise<Buffer> => {
  const entries = await readdir(example, { recursive: true, withFileTypes: true });
  const files: Record<string, Buffer> = {};
  for (const entry of entries.filter((candidate) => candidate.isFile())) {
    const path = join(entry.parentPath, entry.name);
    files[relative(example, path).replaceAll("\\", "/")] = await readFile(path);
  }
  return packArchive(files);
};

it.each(["development", "production"])("builds the example for %s", async (environment) => {
  const ctx = {
    actor: systemActor,
    now: () => new Date(0),
    log: silentLogger,
    signal: new AbortController().signal,
    requestId: "test",
    traceparent: "",
  };
  const { descriptor, warnings } = await buildDescriptor(
    ctx,
    { archive: Readable.from([await packExample()]), environment },
    {
      environments: ["development", "production"],
      namespace: "dmb",
      limits: defaultArchiveLimits,
      renderTimeoutMs: 1_000,
      renderer,
    },
  );
  expect(warnings).toEqual([]);
  expect(descriptor).toMatchObject({ environment, projectKind: "system", kind: "dataproduct" });
  const components = descriptor["components"] as {
    id: string;
    dependsOn: string[];
    infrastructureTemplateId: string;
  }[];
  expect(components.length).toBeGreaterThanOrEqual(5);
  const ids = components.map(({ id }) => id);
  components.forEach(({ dependsOn, infrastructureTemplateId }, at) => {
    expect(infrastructureTemplateId).toMatch(/^urn:dmb:itm:/);
    for (const need of dependsOn) expect(ids.slice(0, at)).toContain(need);
  });
  expect(JSON.stringify(descriptor)).not.toMatch(/\$\{\{|\{%|undefined/);
});
