/** `plinth policy` and `plinth exception` against a whole server. */
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  mockAdapterId,
  startWholeServer,
  type TestRole,
  type WholeServer,
} from "../../../test/support/server.ts";
import { run, type Ran } from "../testdata.ts";
import { expectManyApplied } from "./testdata.ts";

const gallery = join(import.meta.dirname, "../../../catalogue/policies");
const unitId = "urn:dmb:dp:sea:ships:0";
const portId = `urn:dmb:cmp:sea:ships:0:logbook`;

const descriptor = (environment = "development") =>
  JSON.stringify({
    id: unitId,
    name: "ships",
    kind: "dataproduct",
    version: "0.1.0",
    environment,
    dataProductOwner: "user:ada",
    ownerGroup: "group:default/harbour",
    components: [
      {
        id: portId,
        name: "logbook",
        kind: "outputport",
        version: "0.1.0",
        infrastructureTemplateId: mockAdapterId,
        dependsOn: [],
        specific: {},
      },
    ],
  });

let server: WholeServer;
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plinth-policies-"));
  await cp(gallery, join(folder, "policies"), { recursive: true });
  server = await startWholeServer();
  await server.registerMock();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

interface More {
  input?: string;
  as?: TestRole;
  answer?: string;
}

const words = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");

const plinth = (line: string, { input = "", as = "operator", answer }: More = {}): Promise<Ran> =>
  run(words(line), {
    env: { PLINTH_URL: server.url, PLINTH_TOKEN: server.token(as) },
    cwd: folder,
    input,
    ...(answer === undefined ? {} : { answer: () => answer }),
  });

const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);

test("a folder of policies is shown, then written, and a second time nothing is", async () => {
  const count = 20;
  const dry = await plinth("policy apply -f policies --dry-run");
  expect(dry).toMatchObject({ code: 0, err: "" });
  expect(dry.out.match(/^new /gm)).toHaveLength(count);
  expect(dry.out).toContain("Nothing was written.");
  expect((await plinth("policy list")).out).toBe("There are none.\n");

  const refused = await plinth("policy apply -f policies", { answer: "n" });
  expect([refused.code, refused.out]).toEqual([1, expect.stringContaining("Nothing was written.")]);
  const forbidden = await plinth("policy apply -f policies --yes", { as: "developer" });
  expect(forbidden).toMatchObject({ code: 1 });
  expect((await plinth("policy list")).out).toBe("There are none.\n");

  const written = await plinth("policy apply -f policies", { answer: "y" });
  expect(written).toMatchObject({ code: 0, err: "" });
  expect(written.out.match(/^created /gm)).toHaveLength(count);
  const again = await plinth("policy apply -f policies");
  expect(again).toEqual({ code: 0, err: "", out: `${count} policy files as on the server.\n` });
  const listed = await plinth("policy list --status draft --search owner");
  expect(listed.out).toMatch(/^POLICY .*\n(?:.*\n)*owner-present +policy +draft +1 +cel /);
});

test("a change is shown line by line, and names the version that it changes", async () => {
  const file = "policies/no-breaking-schema-change.yaml";
  const before = await readFile(join(folder, file), "utf8");
  await write(
    file,
    before.replace("tags: [contracts]", "tags: [contracts, ports]").replace("was removed", "is gone"),
  );
  const changed = await plinth("policy apply -f policies --yes");
  expect(changed).toMatchObject({ code: 0, err: "" });
  expect(changed.out).toContain("changed no-breaking-schema-change: version 1 → 2, draft");
  expect(changed.out).toContain('tags: ["contracts"] → ["contracts","ports"]');
  expect(changed.out).toMatch(/\n +- .*was removed.*\n +\+ .*is gone/);
  expect(changed.out).toContain("changed no-breaking-schema-change to version 2\n");

  const printed = await plinth("policy get no-breaking-schema-change");
  expect(printed.out).toMatch(
    /^# Version 2, draft; changed .* by .*\nname|^# Version 2[^\n]*\nid: no-breaking/,
  );
  const json = JSON.parse((await plinth("policy apply -f - --json --yes", { input: printed.out })).out);
  expect(json.policies).toEqual([expect.objectContaining({ action: "none", written: false, changes: [] })]);
  expect((await plinth("policy get no-breaking-schema-change --at 1")).out).toContain("was removed");
  expect(
    (await plinth("policy get no-breaking-schema-change --history")).out.trimEnd().split("\n"),
  ).toHaveLength(3);
});

test("nothing is written when one of a folder is not valid", async () => {
  await write(
    "policies/zz-broken.yaml",
    "id: zz\nname: Broken\nengine: cel\nspec:\n  assert: |\n    true &&\n      (1 +\n",
  );
  await write("policies/aa-new.yaml", "id: aa\nname: New\nengine: cel\nspec: {assert: 'true'}\n");
  await write(
    "policies/bad.yaml",
    "id: bad\nname: Bad\nengine: cel\nseverity: huge\nspec: {assert: 'true'}\n",
  );
  const ran = await plinth("policy apply -f policies --yes");
  expect([ran.code, ran.out]).toEqual([5, ""]);
  expect(ran.err).toMatch(/policies\/zz-broken\.yaml spec\.assert:\d+:\d+ /);
  expect(ran.err).toMatch(/policies\/bad\.yaml severity /);
  expect((await plinth("policy get aa")).code).toBe(4);
  for (const name of ["zz-broken", "aa-new", "bad"]) await rm(join(folder, `policies/${name}.yaml`));
});

test("a policy is tested on a descriptor, of a file and stored", async () => {
  const found = await plinth("policy test -f policies/description-present.yaml --descriptor -", {
    input: descriptor(),
  });
  expect([found.code, found.err]).toEqual([5, ""]);
  expect(found.out).toMatch(/^error description-present: 2 of 2 resources\n/);
  expect(found.out).toMatch(new RegExp(`\\n  error ${portId}\\n    \\S.*description`));
  expect(found.out).toMatch(/\n {2}→ \S/);
  const fine = await plinth("policy test owner-present --descriptor - --json", {
    input: descriptor(),
    as: "developer",
  });
  expect(fine.code).toBe(0);
  expect(JSON.parse(fine.out).data[0]).toMatchObject({ policy: "owner-present", summary: { error: 0 } });
  const all = await plinth("policy test -f policies --descriptor - -e production", { input: descriptor() });
  expect(all.code).toBe(5);
  expect(all.out).toMatch(/^none no-breaking-schema-change: /m);
  expect(await plinth("policy test owner-presnt --descriptor -", { input: descriptor() })).toMatchObject({
    code: 4,
    err: expect.stringContaining("plinth policy list"),
  });
});

test("a policy is tried on what is deployed, gets grace, and a resource is excused by another", async () => {
  const none = await plinth("policy try description-present -e development");
  expect(none).toMatchObject({ code: 0, out: expect.stringContaining("is satisfied by the 0 resources") });
  expect((await plinth("provision - --json", { input: descriptor(), as: "admin" })).code).toBe(0);
  const tried = await plinth("policy try description-present -e development");
  expect([tried.code, tried.err]).toEqual([5, ""]);
  expect(tried.out).toMatch(new RegExp(`${unitId} +\\S+ +\\(the unit\\) +error `));
  expect(tried.out).toContain(
    "description-present would hit 2 of the 2 resources in development, in 1 unit: 2 error.",
  );

  const grace = await plinth('policy status description-present grace --until 90d --reason "new rule"');
  expect(grace).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^description-present is grace until 20.*warns/),
  });
  const wrong = await plinth("policy status description-present draft --reason x");
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("can't become draft")]);

  const asked = await plinth(
    `exception request description-present --resource ${unitId} -e development --until 30d --reason "until it is written" --json`,
    { as: "developer" },
  );
  const { id } = JSON.parse(asked.out);
  expect((await plinth("exception list --status pending")).out).toMatch(
    new RegExp(`${id} +pending +description-present +${unitId} in development `),
  );
  const own = await plinth(`exception decide ${id} --approve --reason mine`, { as: "developer" });
  expect(own.code).toBe(1);
  const decided = await plinth(`exception decide ${id} --approve --reason agreed`);
  expect(decided).toEqual({ code: 0, err: "", out: `The exception ${id} is approved.\n` });
  const excused = await plinth("policy test description-present --descriptor -", { input: descriptor() });
  expect(excused.out).toMatch(new RegExp(`warning ${unitId} \\(excused by the exception ${id}\\)`));
  expect(await plinth(`exception revoke ${id}`)).toMatchObject({ code: 0 });
  expect((await plinth("exception list")).out).toContain(`${id}  revoked`);
  expect(await plinth("exception revoke nothing")).toMatchObject({
    code: 4,
    err: expect.stringContaining("plinth exception list"),
  });
});

test("a metric is tried on what is deployed: the value and the label of each", async () => {
  const metric = {
    id: "parts",
    name: "Parts",
    kind: "metric",
    engine: "cel",
    thresholds: [{ label: "few", to: 5 }],
    spec: { assert: "has(resource.components) ? size(resource.components) : 0" },
  };
  await writeFile(join(folder, "parts.yaml"), JSON.stringify(metric));
  const measured = await plinth("policy try -f parts.yaml -e development");
  expect(measured.code, measured.err).toBe(0);
  expect(measured.out).toContain(`${unitId}: 1 (few)`);
  expect(measured.out).toContain(`${portId}: 0 (few)`);
  expect(measured.out).toContain("parts measures the 2 resources in development.");
});

test("many files are applied, one that is wrong stops all, and a second time nothing is written", () =>
  expectManyApplied({ plinth, folder, count: 100 }));
