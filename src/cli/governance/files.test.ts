/** Files of policies and what they change, without a server. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Value } from "typebox/value";
import { parse } from "yaml";
import { newPolicyBody } from "../../governance/policies/schema.ts";
import { stylesFor } from "../print/colors.ts";
import { run } from "../testdata.ts";
import { changeLines, changesOf } from "./changes.ts";
import { contentDefaults, contentOf, fileFormOf } from "./content.ts";
import { diffOfLines } from "./line-diff.ts";
import { parseUntil } from "./until.ts";

const spec = { assert: "true" };
const policy = { id: "a", name: "A", engine: "cel", spec };

test("the command line knows the fields and defaults of the server", () => {
  const { id: _id, ...body } = Value.Default(newPolicyBody, structuredClone(policy)) as Record<
    string,
    unknown
  >;
  expect(contentOf(policy)).toEqual(body);
  expect(Object.keys(contentDefaults).sort()).toEqual(
    Object.keys(newPolicyBody.properties)
      .filter((each) => each !== "id")
      .sort(),
  );
  expect(fileFormOf("a", contentOf(policy))).toEqual(policy);
});

describe("differences", () => {
  test("of lines, with those around them", () => {
    const before = ["1", "2", "3", "4", "5", "6", "7"].join("\n");
    const lines = diffOfLines(before, before.replace("5", "five\nfive and a half"));
    expect(lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      "same 3",
      "same 4",
      "removed 5",
      "added five",
      "added five and a half",
      "same 6",
      "same 7",
    ]);
    expect(diffOfLines("a\nb\n", "a\nb\n")).toEqual([]);
    const far = `${before}\n8\n9\n10`;
    expect(
      diffOfLines(far, far.replace("1\n", "one\n").replace("10", "ten")).map(({ kind }) => kind),
    ).toContain("gap");
  });

  test("of policies, field by field, a spec by its parts", () => {
    const before = contentOf({ ...policy, severity: "warning", spec: { assert: "a\nb\nc" } });
    const after = contentOf({ ...policy, advice: "Add it.", spec: { assert: "a\nB\nc" } });
    const changes = changesOf(before, after);
    expect(changes.map(({ field }) => field).sort()).toEqual(["advice", "severity", "spec.assert"]);
    const text = changeLines(changes, stylesFor(false)).join("\n");
    expect(text).toContain('    severity: "warning" → "error"');
    expect(text).toContain('    advice: (absent) → "Add it."');
    expect(text).toContain("      - b\n      + B\n        c");
    expect(changesOf(before, before)).toEqual([]);
  });
});

test("ends are times, dates or days", () => {
  const now = new Date("2026-11-23T10:00:00Z");
  expect(parseUntil("90d", now)).toBe("2027-02-21T10:00:00.000Z");
  expect(parseUntil("2027-03-31", now)).toBe("2027-04-01T00:00:00.000Z");
  expect(parseUntil("2027-03-31T12:00:00+02:00", now)).toBe("2027-03-31T10:00:00.000Z");
  for (const wrong of ["soon", "2027-02-30", "2027-03-31T12:00:00", ""])
    expect(() => parseUntil(wrong, now), wrong).toThrow("neither a date");
});

describe("files that cannot be used end with 2, all of them at once", () => {
  let folder = "";
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "plinth-policies-"))));
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const apply = (path: string) => run(["policy", "apply", "-f", path], { cwd: folder });

  test("with every problem and its place", async () => {
    await mkdir(join(folder, "p/.git"), { recursive: true });
    const files = {
      "p/a.yaml": "id: same\nname: A\nengine: cel\nspec: {assert: 'true'}\nstatus: enabled\n",
      "p/b.yaml": "id: same\nname: B\nengine: cel\nspec: {assert: 'true'}\nenviroments: [x]\n",
      "p/c.yml": "id: c\nname: [",
      "p/d.yaml": "id: d\nname: D\nengine: cel\n",
      "p/e.yaml": "- a list\n",
      "p/.git/f.yaml": "not looked at",
      "p/readme.md": "nor this",
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const { code, err, out } = await apply("p");
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/p\/a\.yaml status .*server sets it/);
    expect(err).toContain("Did you mean environments?");
    expect(err).toMatch(/p\/b\.yaml id .*p\/a\.yaml has the id same too/);
    expect(err).toMatch(/p\/c\.yml:\d+:\d+ /);
    expect(err).toMatch(/p\/d\.yaml spec /);
    expect(err).toMatch(/p\/e\.yaml .*must be a map/);
    expect(err).not.toMatch(/git|readme/);
  });

  test.each([
    ["nothing", /There is no file or folder nothing/],
    ["empty", /has no policies/],
  ])("%s", async (path, expected) => {
    await mkdir(join(folder, "empty"));
    expect(await apply(path)).toMatchObject({ code: 2, err: expect.stringMatching(expected) });
  });
});

test.each([
  ["policy test --descriptor x.yaml", /either the id of a stored policy, or --file/],
  ["policy try a -f b.yaml -e development", /either the id of a stored policy, or --file/],
  ["policy status a on --reason x", /cannot be on/],
  ["policy status a grace --reason x", /A grace needs its end/],
  ["policy list --status on", /Allowed choices are draft/],
  ["policy apply -f - --json", /nobody is asked/],
  ["exception request a --reason x --until 1d", /either --resource/],
  ["exception request a --resource u --reason x --until soon", /neither a date/],
  ["exception decide a --reason x", /either --approve or --reject/],
])("`plinth %s` is wrong usage", async (line, expected) => {
  const { code, err } = await run(line.split(" "));
  expect([code, err]).toEqual([2, expect.stringMatching(expected)]);
});

test("what is printed of a policy can be read as a file", () => {
  // The parser of the server and that of the files agree about the text.
  const text = "id: a\nname: A\nengine: cel\nspec:\n  assert: |\n    resource.x == 'y' &&\n      true\n";
  expect(fileFormOf("a", contentOf(parse(text)))).toEqual(parse(text));
});
