/** What is refused before a task is made of it, and where each refusal says the mistake is. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBuilder, type BuilderFixture } from "./builder-fixture.ts";

let fixture: BuilderFixture;
beforeAll(async () => {
  fixture = await startBuilder({ idle: true });
});
afterAll(() => fixture.close());

const countTasks = async (): Promise<string> =>
  (await fixture.db.database.pool.query("select count(*)::text as count from instantiations")).rows[0].count;

const say = (message: unknown, more: object = {}) => ({
  id: "s",
  action: "debug:log",
  input: { message },
  ...more,
});

const inTemplate: [what: string, spec: Record<string, unknown>, where: string, message: string][] = [
  ["an unknown action", { steps: [{ id: "s", action: "no:such" }] }, "/spec/steps/0/action", "no:such"],
  [
    "an unknown action after sound steps",
    { steps: [say("x"), { id: "late", action: "debug:Log" }] },
    "/spec/steps/1/action",
    'Step "late"',
  ],
  ["an unknown filter", { steps: [say("${{ 'x' | nope }}")] }, "/spec/steps/0/input/message:1:11", '"nope"'],
  [
    "an unknown filter, lines down",
    { steps: [say("one\n  two ${{ 'x' | upper | nope }}")] },
    "/spec/steps/0/input/message:2:25",
    '"nope"',
  ],
  [
    "one deep in an input",
    { steps: [{ id: "s", action: "debug:log", input: { a: { "b/c": [1, { d: "${{ x | nope(1) }}" }] } } }] },
    "/spec/steps/0/input/a/b~1c/1/d:1:9",
    "input.a.b/c.1.d",
  ],
  ["one in a condition", { steps: [say("x", { if: "${{ a | nope }}" })] }, "/spec/steps/0/if:1:9", '"nope"'],
  ["one in an each", { steps: [say("x", { each: "${{ a | nope }}" })] }, "/spec/steps/0/each:1:9", '"nope"'],
  [
    "one in a list of each",
    { steps: [say("x", { each: ["a", "${{ a | nope }}"] })] },
    "/spec/steps/0/each/1:1:9",
    '"nope"',
  ],
  [
    "one in the output",
    { steps: [], output: { links: [{ url: "x${{ a | nope }}" }] } },
    "/spec/output/links/0/url:1:10",
    '"nope"',
  ],
  [
    "one in a block",
    { steps: [say("{% if a | nope %}x{% endif %}")] },
    "/spec/steps/0/input/message:1:11",
    '"nope"',
  ],
  [
    "a block of one",
    { steps: [say("{% filter nope %}x{% endfilter %}")] },
    "/spec/steps/0/input/message:1:11",
    '"nope"',
  ],
  [
    "one where nothing leads to",
    { steps: [say("{% if false %}${{ a | nope }}{% endif %}")] },
    "/spec/steps/0/input/message:1:23",
    '"nope"',
  ],
  [
    "one within the arguments of another",
    { steps: [say("${{ a | default(b | nope) }}")] },
    "/spec/steps/0/input/message:1:21",
    '"nope"',
  ],
  [
    "an expression that ends nowhere",
    { steps: [say("${{ a")] },
    "/spec/steps/0/input/message:1:",
    'Step "s", input.message',
  ],
  [
    "a form that is too large",
    { steps: [], parameters: { type: "object", "x-junk": Array.from({ length: 400_000 }, () => []) } },
    "/spec/parameters",
    "longer than 1048576 characters",
  ],
  [
    "definitions that lead to each other without end",
    {
      steps: [],
      parameters: {
        $ref: "#/$defs/d0",
        $defs: Object.fromEntries(
          Array.from({ length: 2_000 }, (_, n) => [`d${n}`, { $ref: `#/$defs/d${n + 1}` }]),
        ),
      },
    },
    "/spec/parameters/0",
    "in too many ways",
  ],
  [
    "a reach for a prototype",
    { steps: [say("x", { if: "${{ parameters.__proto__ }}" })] },
    "/spec/steps/0/if:1:16",
    "__proto__",
  ],
];

describe("a template with", () => {
  it.each(inTemplate)(
    "%s is refused with its place, by every way in",
    async (_what, spec, where, message) => {
      fixture.addTemplate("wrong", spec);
      const before = await countTasks();
      const entity = {
        apiVersion: "scaffolder.backstage.io/v1beta3",
        kind: "Template",
        metadata: { name: "wrong" },
        spec,
      };
      const ways: [string, object][] = [
        ["/api/builder/templates/instantiate", { templateRef: "wrong", values: {} }],
        ["/api/scaffolder/v2/tasks", { templateRef: "template:default/wrong", values: {} }],
        ["/api/builder/templates/dry-run", { templateRef: "wrong", values: {} }],
        ["/api/scaffolder/v2/dry-run", { template: entity, values: {}, directoryContents: [] }],
      ];
      for (const [path, body] of ways) {
        const { status, body: answer } = await fixture.call({ method: "POST", path, body });
        expect([path, status, answer.error?.code]).toEqual([path, 400, "BUILDER_INVALID_TEMPLATE"]);
        const { problems } = answer.error;
        expect(problems).toHaveLength(1);
        expect(problems[0].where.startsWith(where), problems[0].where).toBe(true);
        expect(problems[0].message).toContain(message);
      }
      expect(await countTasks()).toBe(before);
    },
  );
});

const form = {
  parameters: [
    {
      required: ["name", "size"],
      properties: {
        name: { type: "string", pattern: "^[a-z]+$", minLength: 3, maxLength: 5 },
        size: { type: "integer", minimum: 1, multipleOf: 2 },
        owner: {
          type: "object",
          required: ["group"],
          additionalProperties: false,
          properties: { group: { type: "string" }, mail: { type: "string", maxLength: 5 } },
        },
      },
    },
    {
      properties: {
        tags: { type: "array", minItems: 1, items: { type: "string", enum: ["a", "b"] } },
        kind: { type: "string", enum: ["file", "table"] },
      },
      dependencies: {
        kind: {
          oneOf: [
            { properties: { kind: { const: "file" }, path: { type: "string" } }, required: ["path"] },
            { properties: { kind: { const: "table" }, rows: { type: "integer" } }, required: ["rows"] },
          ],
        },
      },
      if: { properties: { kind: { const: "table" } }, required: ["kind"] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { required: ["zone"], properties: { zone: { enum: ["eu", "us"] } } },
    },
  ],
  secrets: {
    schema: { type: "object", required: ["token"], properties: { token: { type: "string", minLength: 8 } } },
  },
  steps: [],
};
const sound = {
  values: { name: "abc", size: 2, owner: { group: "g" }, tags: ["a"], kind: "file", path: "/p" },
  secrets: { token: "12345678" },
};

const inValues: [what: string, change: object, where: string[]][] = [
  ["two that are missing", { name: undefined, size: undefined }, ["/values/name", "/values/size"]],
  ["wrong in three ways", { name: "A" }, ["/values/name"]],
  ["of another type", { name: 5, size: "2" }, ["/values/name", "/values/size"]],
  ["out of bounds", { size: -1 }, ["/values/size"]],
  ["missing within an object", { owner: {} }, ["/values/owner/group"]],
  [
    "several within an object",
    { owner: { group: 1, mail: "too long", else: 1 } },
    ["/values/owner/else", "/values/owner/group", "/values/owner/mail"],
  ],
  ["an empty list", { tags: [] }, ["/values/tags"]],
  ["two in a list", { tags: ["x", "a", 3] }, ["/values/tags/0", "/values/tags/2"]],
  ["what the chosen branch lacks", { path: undefined }, ["/values/path"]],
  ["what another branch lacks", { kind: "table", zone: "mars" }, ["/values/rows", "/values/zone"]],
  ["no branch at all", { kind: "stream" }, ["/values/kind"]],
  [
    "on several pages",
    { name: "x", owner: 5, tags: "a", kind: "table", zone: "eu", rows: "many" },
    ["/values/name", "/values/owner", "/values/rows", "/values/tags"],
  ],
];

describe("values with", () => {
  it.each(inValues)("%s: one problem for each field", async (_what, change, where) => {
    fixture.addTemplate("form", form);
    const body = { templateRef: "form", ...sound, values: { ...sound.values, ...change } };
    const answer = await fixture.call({ method: "POST", path: "/api/builder/templates/instantiate", body });
    expect([answer.status, answer.body.error?.code]).toEqual([400, "BUILDER_INVALID_INSTANTIATION"]);
    const { problems } = answer.body.error;
    expect(problems.map((problem: { where: string }) => problem.where).toSorted()).toEqual(where);
    expect(problems.every(({ message }: { message: string }) => message.length > 5)).toBe(true);
  });

  it("none of it are taken", async () => {
    fixture.addTemplate("form", form);
    const body = { templateRef: "form", ...sound };
    const answer = await fixture.call({ method: "POST", path: "/api/builder/templates/instantiate", body });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  });

  it("more than a thread may be sent: what to do", async () => {
    fixture.addTemplate("open", { parameters: {}, steps: [] });
    const values = { list: Array.from({ length: 800_000 }, () => []) };
    for (const path of ["/api/builder/templates/instantiate", "/api/builder/templates/dry-run"]) {
      const answer = await fixture.call({ method: "POST", path, body: { templateRef: "open", values } });
      expect([answer.status, answer.body.error?.problems]).toMatchObject([
        400,
        [
          {
            where: "/values",
            message: expect.stringContaining("64 MB"),
            solution: expect.stringContaining("fewer values"),
          },
        ],
      ]);
    }
  });

  it("secrets that are too long together: how many characters they may have", async () => {
    fixture.addTemplate("open", { parameters: {}, steps: [] });
    const secrets = Object.fromEntries(["a", "b", "c"].map((name) => [name, "x".repeat(65_536)]));
    const body = { templateRef: "open", values: {}, secrets };
    for (const path of ["/api/builder/templates/instantiate", "/api/builder/templates/dry-run"]) {
      const answer = await fixture.call({ method: "POST", path, body });
      expect([answer.status, answer.body.error?.problems]).toMatchObject([
        400,
        [{ where: "/secrets", message: expect.stringContaining("131072 is the most") }],
      ]);
    }
  });

  it("secrets that do not fit: their names, never their values", async () => {
    fixture.addTemplate("form", form);
    for (const [secrets, where] of [
      [{}, "/secrets/token"],
      [{ token: "sEcReT" }, "/secrets/token"],
    ] as const) {
      const body = { templateRef: "form", ...sound, secrets };
      const answer = await fixture.call({ method: "POST", path: "/api/builder/templates/instantiate", body });
      expect([answer.status, answer.body.error.problems]).toMatchObject([400, [{ where }]]);
      expect(answer.text).not.toContain("sEcReT");
    }
  });
});
