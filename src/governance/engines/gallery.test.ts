/** Each policy of the gallery compiles, passes a resource that is right and names the place in one that is wrong. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { describe, expect, it } from "vitest";
import { checkAssertion } from "./cel.ts";
import { sightOf } from "./engine.ts";
import type { EngineInput } from "./engine.ts";
import { createEvaluators } from "./evaluators.ts";
import { checkSchema } from "./json-schema.ts";

const folder = join(import.meta.dirname, "../../../catalogue/policies");
const files = readdirSync(folder);
const policies = new Map<string, any>(
  files.map((file) => [file.replace(".yaml", ""), parse(readFileSync(join(folder, file), "utf8"))]),
);
const evaluatorOf = createEvaluators();

const column = (name: string, more: object = {}) => ({
  name,
  dataType: "STRING",
  description: `The ${name} of the ship.`,
  tags: [{ tagFQN: "GDPR.None" }],
  ...more,
});
const port = (more: object = {}, columns = [column("name"), column("length")]) => ({
  id: "urn:dmb:cmp:sea:ships:0:fleet",
  name: "fleet",
  kind: "outputport",
  version: "1.0.0",
  description: "All ships that have ever been seen here.",
  consumable: true,
  shoppable: true,
  tags: [{ tagFQN: "CostCentre.42" }],
  sampleData: { columns: ["name"], rows: [["Aurora"]] },
  dataContract: {
    schema: columns,
    SLA: { intervalOfChange: "1h", timeliness: "5m", upTime: "99%" },
    termsAndConditions: "For planning only.",
  },
  ...more,
});
const unit = (more: object = {}) => ({
  id: "urn:dmb:dp:sea:ships:0",
  name: "Ships",
  kind: "dataproduct",
  version: "1.0.0",
  ownerGroup: "group:default/harbour",
  dataProductOwner: "user:default/ada",
  email: "harbour@example.com",
  components: [port()],
  ...more,
});
const storage = (retentionDays?: number) => ({ kind: "storage", specific: { retentionDays } });
const bare = (more: object): object => ({ ...port(), dataContract: more });

interface Example {
  right: object;
  wrong: object;
  /** The first place that is named; undefined where there is none. */
  path: string;
  original?: object;
}
const examples: Record<string, Example> = {
  "global-specification-compliance": { right: unit(), wrong: unit({ version: "one" }), path: "version" },
  "unit-name": { right: port(), wrong: port({ id: "urn:dmb:cmp:sea:ships:0:The Fleet" }), path: "id" },
  "description-present": { right: port(), wrong: port({ description: "Ships" }), path: "description" },
  "owner-present": { right: unit(), wrong: unit({ dataProductOwner: "" }), path: "dataProductOwner" },
  "owner-is-a-group": { right: unit(), wrong: unit({ ownerGroup: "user:default/ada" }), path: "ownerGroup" },
  "contact-address": { right: unit(), wrong: unit({ email: "ada" }), path: "email" },
  "gdpr-classification": {
    right: port(),
    wrong: port({}, [column("name"), column("length", { tags: [] })]),
    path: "dataContract.schema.length",
  },
  "no-sensitive-data-shared": {
    right: port(),
    wrong: port({}, [column("name", { tags: [{ tagFQN: "GDPR.Sensitive" }] })]),
    path: "dataContract.schema.name",
  },
  "no-breaking-schema-change": {
    right: port({}, [column("name"), column("length"), column("built")]),
    wrong: port({}, [column("name"), column("length", { dataType: "INT" })]),
    path: "dataContract.schema.length",
    original: port(),
  },
  "contract-on-consumable-port": { right: port(), wrong: bare({ schema: [] }), path: "dataContract.schema" },
  "columns-described": {
    right: port(),
    wrong: port({}, [column("name", { description: "" })]),
    path: "dataContract.schema.name",
  },
  "sla-present": {
    right: port(),
    wrong: bare({ SLA: { intervalOfChange: "1h", upTime: "99%" } }),
    path: "dataContract.SLA.timeliness",
  },
  "terms-present": { right: port(), wrong: bare({}), path: "dataContract.termsAndConditions" },
  "retention-present": { right: storage(30), wrong: storage(), path: "specific.retentionDays" },
  "retention-at-most-ten-years": {
    right: storage(30),
    wrong: storage(5_000),
    path: "specific.retentionDays",
  },
  "sample-data-present": { right: port(), wrong: port({ sampleData: null }), path: "sampleData" },
  "cost-tag": { right: port(), wrong: port({ tags: [] }), path: "tags" },
  "output-port-present": { right: unit(), wrong: unit({ components: [] }), path: "components" },
  "version-format": { right: port(), wrong: port({ version: "1" }), path: "version" },
};

const inputOf = (resource: object, original?: object): EngineInput => ({
  resource: JSON.parse(JSON.stringify(resource)) as unknown,
  current: JSON.parse(JSON.stringify(resource)) as unknown,
  ...(original && { original: JSON.parse(JSON.stringify(original)) as unknown }),
  environment: "production",
  resourceType: "any",
  resourceId: "a",
});
const evaluate = (id: string, input: EngineInput) => {
  const { kind = "policy", engine, spec } = policies.get(id);
  return evaluatorOf({ key: id, kind, spec: { engine, ...spec } })(input);
};

it("has at least twenty, each with an id like its file's name", () => {
  expect(files.length).toBeGreaterThanOrEqual(20);
  expect([...policies].filter(([file, { id }]) => id !== file)).toEqual([]);
});

it.each([...policies])("%s can be evaluated, and says what to do", (_id, policy) => {
  const { engine, kind, spec } = policy;
  const sight = sightOf({ context: "local", strategy: "default", ...policy });
  const problems = engine === "cel" ? checkAssertion(kind, spec.assert, sight) : checkSchema(spec.schema);
  expect(problems).toEqual([]);
  expect(policy.advice.length).toBeGreaterThan(10);
  expect(policy.status).toBeUndefined();
});

describe.each(Object.entries(examples))("%s", (id, { right, wrong, path, original }) => {
  it("passes what is right", () => {
    expect(evaluate(id, inputOf(right, original))).toEqual({ ok: true, satisfied: true, errors: [] });
  });

  it("names the place of what is wrong", () => {
    expect(evaluate(id, inputOf(wrong, original))).toMatchObject({
      ok: true,
      satisfied: false,
      errors: [{ path, message: expect.stringMatching(/./) }],
    });
  });
});

it("has an example of each, but for the metric", () => {
  expect([...policies.keys()].filter((id) => !(id in examples))).toEqual(["described-columns-share"]);
});

it("measures the share of described columns", () => {
  const half = port({}, [column("name"), column("length", { description: "" })]);
  expect(evaluate("described-columns-share", inputOf(half))).toEqual({ ok: true, value: 0.5, errors: [] });
  expect(evaluate("described-columns-share", inputOf({}))).toEqual({ ok: true, value: 0, errors: [] });
});
