/** Values put into everything that looks like a secret are found nowhere: not in the database, events, logs, files or errors. */
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Action } from "../../src/builder/actions/action.ts";
import { dumpDatabase, dumpFiles, expectNone } from "../support/canaries.ts";
import { startBuilder, type BuilderFixture } from "./builder-fixture.ts";
import { eventually } from "../support/eventually.ts";

const canary = 'cAnArY-7f3a91/+ "quoted"';
const passwordCanary = "pAsSwOrD-canary-1b2c";
const numberCanary = 918_273_645_546;
const lines = "-----BEGIN KEY-----\nFiRsT-line-canary-5d\nSeCoNd-line-canary-6e\n-----END KEY-----";
const logged: string[] = [];
const keep = (fields: object, message: string): void =>
  void logged.push(`${message} ${JSON.stringify(fields)}`);
const log = { debug: keep, info: keep, warn: keep, error: keep, child: () => log };

let held = 0;
const gates: (() => void)[] = [];

const holds: Action = {
  id: "test:hold",
  description: "Waits until the test lets it go, or it is aborted.",
  supportsDryRun: false,
  input: { type: "object" },
  run: ({ signal }) =>
    new Promise((done, fail) => {
      held += 1;
      gates.push(done);
      signal.addEventListener("abort", () => fail(new Error("aborted")), { once: true });
    }),
};

const leaks: Action = {
  id: "test:leak",
  description: "Shows what it should not.",
  supportsDryRun: false,
  input: { type: "object" },
  async run({ input, secrets, say, output, workspace, log: ownLog, checkpoint }) {
    const token = secrets["token"] ?? "";
    const all = { token, ...input, parameters: input["all"] };
    say(`the token is ${token}, in base64 ${Buffer.from(token).toString("base64")}`);
    say(JSON.stringify(all));
    ownLog.debug({}, "nothing of it");
    await checkpoint(`kept`, async () => all);
    output("token", token);
    output("all", all);
    output(`key ${token}`, { inside: [token, JSON.stringify({ token }), encodeURIComponent(token)] });
    if (input["file"] === true) await writeFile(join(await workspace.folder(), "leak.txt"), `x ${token} y`);
    if (input["fail"] === true) throw new Error(`broken with ${token} and ${JSON.stringify(input)}`);
  },
};

const taken: Record<string, unknown>[] = [];
const takes: Action = {
  id: "test:take",
  description: "Keeps what it is given.",
  supportsDryRun: false,
  input: { type: "object" },
  run: async ({ input }) => void taken.push(input),
};

let fixture: BuilderFixture;

beforeAll(async () => {
  fixture = await startBuilder({ actions: [holds, leaks, takes], log });
  fixture.addTemplate("secret", template());
  for (const way of ["fail", "file"]) fixture.addTemplate(`secret-${way}`, template({ [way]: true }));
});

afterAll(() => fixture.close());

const password = { type: "string", "ui:widget": "password" };

const template = (input: object = {}): Record<string, unknown> => ({
  parameters: [
    {
      properties: {
        name: { type: "string" },
        password: { type: "string", "ui:field": "Secret" },
        nested: { type: "object", properties: { pin: password, number: { ...password, type: "integer" } } },
      },
    },
    {
      properties: {
        options: { type: "string", "ui:options": { widget: "password" } },
        format: { type: "string", format: "password" },
        list: { type: "array", items: { type: "object", properties: { key: password } } },
        map: { type: "object", additionalProperties: password },
        named: { $ref: "#/definitions/named" },
        kind: { type: "string" },
      },
      definitions: { named: { type: "object", properties: { "a/b~c": password } } },
      dependencies: { kind: { oneOf: [{ properties: { kind: { const: "key" }, own: password } }] } },
      if: { properties: { kind: { const: "key" } } },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { properties: { conditional: password } },
    },
  ],
  steps: [
    { id: "hold", action: "test:hold", input: { token: "${{ secrets.token }}" } },
    {
      id: "say",
      name: "Says ${{ parameters.password }}",
      action: "debug:log",
      each: ["${{ parameters.password }}", "${{ secrets.token }}"],
      input: {
        message: "${{ parameters.password }} ${{ secrets.token | dump }} ${{ each.value }}",
        listWorkspace: true,
      },
    },
    {
      id: "leak",
      action: "test:leak",
      input: { ...input, all: "${{ parameters }}", environment: "${{ environment }}" },
    },
  ],
  output: {
    all: "${{ parameters }}",
    token: "${{ steps.leak.output.token }}",
    text: "x ${{ secrets.token }}",
  },
});

const values = {
  name: "shown-name",
  password: passwordCanary,
  nested: { pin: passwordCanary, number: numberCanary },
  options: passwordCanary,
  format: passwordCanary,
  list: [{ key: passwordCanary }, { key: lines }],
  map: { any: passwordCanary },
  named: { "a/b~c": passwordCanary },
  kind: "key",
  own: passwordCanary,
  conditional: passwordCanary,
};
const more = {
  secrets: { token: canary, key: lines },
  environmentOverrides: { production: { password: passwordCanary, list: [{ key: passwordCanary }] } },
};
const pointers = [
  "/secrets/token",
  "/secrets/key",
  "/values/password",
  "/values/nested/pin",
  "/values/nested/number",
  "/values/options",
  "/values/format",
  "/values/list/0/key",
  "/values/list/1/key",
  "/values/map/any",
  "/values/named/a~1b~0c",
  "/values/own",
  "/values/conditional",
  "/environmentOverrides/production/password",
  "/environmentOverrides/production/list/0/key",
];

const dump = (): Promise<string> => dumpDatabase(fixture.db.database);
const files = (): Promise<string> => dumpFiles(fixture.dataDir);

const parts = [
  canary,
  passwordCanary,
  String(numberCanary),
  lines,
  "FiRsT-line-canary-5d",
  "SeCoNd-line-canary-6e",
];

const nowhere = (text: string): void => expectNone(text, parts);

const task = async (id: string) =>
  (await fixture.call({ path: `/api/builder/templates/tasks/${id}`, as: "operator" })).body;

it.each([
  ["an action that ends well", "secret", "completed"],
  ["an action that fails with them in its error", "secret-fail", "failed"],
  ["an action that writes them into a file", "secret-file", "failed"],
])("they are found nowhere after %s", async (_case, name, status) => {
  const before = held;
  const id = await fixture.instantiate(name, values, more);
  await eventually("the step", async () => held > before);
  nowhere(await dump());
  for (const open of gates.splice(0)) open();
  const events = await fixture.events(id);
  expect(events.at(-1)?.data.status).toBe(status);
  nowhere(JSON.stringify(events));
  const shown = await task(id);
  expect(shown.parameters.name).toBe("shown-name");
  nowhere(JSON.stringify(shown));
  const others = [
    `/api/scaffolder/v2/tasks/${id}`,
    `/api/scaffolder/v2/tasks/${id}/events`,
    "/api/scaffolder/v2/tasks",
  ];
  for (const path of others) nowhere((await fixture.call({ path, as: "operator" })).text);
  nowhere(await dump());
  nowhere(await files());
  nowhere(logged.join("\n"));
  const { rows } = await fixture.db.database.pool.query("select sealed from instantiations where id = $1", [
    id,
  ]);
  expect(rows).toEqual([{ sealed: null }]);
  if (status === "completed") return;
  const path = `/api/builder/templates/tasks/${id}/retry`;
  const refused = await fixture.call({ method: "POST", path, body: {} });
  const asked = pointers.map((pointer) =>
    pointer.startsWith("/secrets/")
      ? pointer
      : `/secretValues/${pointer.replaceAll("~", "~0").replaceAll("/", "~1")}`,
  );
  expect(refused.body.error.problems.map(({ where }: { where: string }) => where).toSorted()).toEqual(
    asked.toSorted(),
  );
});

it("an action is given them as they are", async () => {
  fixture.addTemplate("given", {
    ...template(),
    steps: [
      { id: "take", action: "test:take", input: { all: "${{ parameters }}", key: "${{ secrets.key }}" } },
    ],
    output: {},
  });
  const id = await fixture.instantiate("given", values, more);
  await fixture.events(id);
  expect(taken.splice(0)).toEqual([{ all: values, key: lines }]);
});

it("a dry run has none of them to show", async () => {
  const body = { templateRef: "secret", values, ...more };
  const answer = await fixture.call({ method: "POST", path: "/api/builder/templates/dry-run", body });
  expect([answer.status, answer.body.status]).toEqual([200, "completed"]);
  nowhere(answer.text);
  nowhere(await files());
});

it("a refusal does not echo them", async () => {
  const wrong = { ...values, nested: { pin: [passwordCanary] }, kind: 5, list: [{ key: numberCanary }] };
  const body = { templateRef: "secret", values: wrong, ...more, environmentOverrides: { moon: wrong } };
  const refused = await fixture.call({ method: "POST", path: "/api/builder/templates/instantiate", body });
  expect(refused.status).toBe(400);
  nowhere(refused.text);
  nowhere(logged.join("\n"));
});

it("a secret of hundreds of lines is masked too", async () => {
  const many = Array.from({ length: 600 }, () => randomBytes(48).toString("base64"));
  fixture.addTemplate("many-lines", {
    steps: [
      {
        id: "say",
        action: "debug:log",
        input: { message: "${{ secrets.many }} ${{ secrets.many | dump }}" },
      },
      { id: "leak", action: "test:leak", input: { fail: true } },
    ],
  });
  const id = await fixture.instantiate(
    "many-lines",
    {},
    { secrets: { token: many[7], many: many.join("\n") } },
  );
  const events = await fixture.events(id);
  expect(events.at(-1)?.data).toMatchObject({
    status: "failed",
    message: "test:leak failed unexpectedly; the server's log has the details.",
  });
  for (const text of [JSON.stringify(events), logged.join("\n"), await dump()]) expectNone(text, many);
});

it("an instantiation with such a secret completes", async () => {
  const many = Array.from({ length: 600 }, () => randomBytes(48).toString("base64"));
  fixture.addTemplate("many-lines-used", {
    steps: [{ id: "say", action: "debug:log", input: { message: "${{ secrets.many }}" } }],
  });
  const id = await fixture.instantiate("many-lines-used", {}, { secrets: { many: many.join("\n") } });
  expect((await fixture.events(id)).map(({ data }) => data.message)).toEqual([
    "Step “debug:log” begins.",
    "***",
    "Step “debug:log” is done.",
    "The task has ended: completed.",
  ]);
  expectNone(logged.join("\n"), many);
});
