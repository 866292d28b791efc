/** Files that mean harm, and callers that come all at once. */
import { builderSettings } from "../../src/builder/settings.ts";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { beginReading, readLocation } from "../../src/builder/catalogue/locations/store.ts";
import { writeReading } from "../../src/builder/catalogue/locations/write-reading.ts";
import { inTransaction } from "../../src/platform/db/database.ts";
import type { Answer } from "../support/server.ts";
import { entityText, startCatalogueFixture, type CatalogueFixture } from "./catalogue-fixture.ts";

let fixture: CatalogueFixture;

beforeAll(async () => {
  fixture = await startCatalogueFixture();
});
afterAll(() => fixture.close());

const messagesOf = ({ body }: Answer): string[] =>
  body.error.problems.map(({ where, message }: { where: string; message: string }) => `${where} ${message}`);

const skeleton = (body: string): string => `%SKELETON\n${entityText("Domain", "a", `{ a: "${body}" }`)}`;
const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefghij"
  .split("")
  .map((name, index) => `${name}: &${name} [${`*${"abcdefghi"[index]},`.repeat(9)}]`)
  .join("\n")}\n`;

it.each<[string, string | Buffer, RegExp]>([
  ["aliases that stand for gigabytes", bomb, /YAML: more than 100000 values/],
  ["endless nesting", "[".repeat(10_000), /YAML:/],
  ["a file that is too large", Buffer.alloc(10 * 1024 * 1024 + 1, 32), /larger than 10485760 bytes/],
  ["bytes that are no text", Buffer.from([0xff, 0xfe, 0x00, 0x41]), /not UTF-8/],
  ["nothing", "---\n---\n", /holds no entity/],
  ["a list", "[1, 2]", /An entity is a map/],
  [
    "a template that never ends",
    skeleton("${{ 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' | replace(r/(a+)+$/, '') }}"),
    /The file was given up|Template/,
  ],
  [
    "a template that reaches for the process",
    skeleton("${{ constructor.constructor('return process')() }}"),
    /Template|a/,
  ],
  [
    "a prototype",
    "apiVersion: v1\nkind: Domain\nmetadata: { name: p }\n__proto__: { kind: 7 }\nspec: 1\n",
    /spec must be a map/,
  ],
])("%s is reported as a problem", async (_name, content, message) => {
  await writeFile(join(fixture.folder, "hostile.yaml"), content);
  const began = performance.now();
  const answer = await fixture.register("hostile.yaml");
  expect(answer.status, answer.text).toBe(400);
  expect(messagesOf(answer).join("\n")).toMatch(message);
  // Generous: on a busy machine a template alone may take 30 s until it is given up. Without its limits the work would not end.
  expect(performance.now() - began).toBeLessThan(120_000);
});

it("includes cannot be made to stand for more than they are", async () => {
  await fixture.write("big.txt", "x".repeat(1_000_000));
  const wanted = Array.from({ length: 10 }, (_, index) => `k${index}: { $text: ./big.txt }`).join(", ");
  await fixture.write("includes.yaml", entityText("Domain", "includes", `{ ${wanted} }`));
  expect(messagesOf(await fixture.register("includes.yaml"))[0]).toContain("more than 4194304 bytes");
});

it("links do not lead out of a location", async () => {
  await fixture.write("out/secret.txt", "canary");
  await fixture.write(
    "links/catalog-info.yaml",
    entityText("Domain", "links", "{ a: { $text: ./leak.txt } }"),
  );
  await symlink(join(fixture.folder, "out/secret.txt"), join(fixture.folder, "links/leak.txt"));
  await symlink("/etc/hostname", join(fixture.folder, "hostname.yaml"));
  const answer = await fixture.register("links/catalog-info.yaml");
  expect([answer.status, answer.text.includes("canary")]).toEqual([400, false]);
  expect(messagesOf(answer)).toEqual(["leak.txt The file is a link that leads out of the location."]);
  expect((await fixture.register("hostname.yaml")).status).toBe(400);
});

it("of many who register one location at once, one does", async () => {
  await fixture.write("once.yaml", entityText("Domain", "once"));
  const answers = await Promise.all(Array.from({ length: 12 }, () => fixture.register("once.yaml")));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(1);
  expect(statuses.every((status) => [201, 409, 503].includes(status))).toBe(true);
});

it("of locations with the same entity that are registered at once, one has it", async () => {
  const targets = ["same-a.yaml", "same-b.yaml", "same-c.yaml"];
  for (const target of targets) {
    const texts = [entityText("Domain", "same"), entityText("Domain", target.slice(0, 6))];
    await fixture.write(target, (target === "same-b.yaml" ? texts : texts.toReversed()).join("---\n"));
  }
  const answers = await Promise.all(targets.map(fixture.register));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  const troubled = answers.filter(({ body }) => body.location.problems.length > 0);
  expect(troubled).toHaveLength(2);
  const names = await fixture.catalog({
    path: "/entities?filter=kind=domain,metadata.name=same&filter=metadata.name=same-a",
  });
  expect(names.body).toHaveLength(2);
});

it("a reading that was overtaken writes nothing", async () => {
  await fixture.write("fence.yaml", entityText("Domain", "fence", "{ at: 1 }"));
  const { body } = await fixture.register("fence.yaml");
  const { database } = fixture.server.db;
  const taken = await readLocation(database.db, body.location.id);
  await beginReading(database.db, body.location.id);
  const loaded = { version: null, entities: [], problems: [] };
  const { catalogue: settings } = builderSettings(fixture.config);
  const reading = { location: taken!, loaded, at: new Date(), nextRefreshAt: null, settings };
  expect(await inTransaction(database, (tx) => writeReading(tx, reading))).toBeNull();
  const read = await fixture.catalog({ path: "/entities/by-name/domain/default/fence" });
  expect(read.body.metadata.annotations["backstage.io/orphan"]).toBeUndefined();
});
