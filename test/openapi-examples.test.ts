/** Each operation of the committed documents has an example of its request and of its answer, and they fit the schemas. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { addExamples } from "../src/platform/http/document/examples.ts";
import { describeArea } from "../src/reference/describe-area.ts";
import { readDocument } from "./contract/document.ts";
import { testArea } from "./support/http.ts";

const areas = ["assistant", "auth", "builder", "coordinator", "governance", "data-layer"];

interface Media {
  schema: unknown;
  example?: unknown;
}

interface Documented {
  openapi: string;
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, any>>;
  components: { schemas: Record<string, any> };
}

const readArea = (area: string): Documented =>
  JSON.parse(readFileSync(new URL(`../openapi/${area}.json`, import.meta.url), "utf8"));

/** What is missing, or does not fit, in the examples of a document. */
function complaintsAbout(document: any): string[] {
  const { operations } = readDocument(document);
  return operations.flatMap((operation) => {
    const { id, path, method } = operation;
    const raw = document.paths[path][method.toLowerCase()];
    const found: string[] = [];
    const bodies: [string, string, Media][] = Object.entries<Media>(raw.requestBody?.content ?? {}).map(
      ([type, media]) => ["request", type, media],
    );
    for (const [status, response] of Object.entries<any>(raw.responses)) {
      if (Number(status) >= 300) continue;
      for (const [type, media] of Object.entries<Media>(response.content ?? {}))
        bodies.push([status, type, media]);
    }
    for (const [part, type, media] of bodies) {
      const where = `${id} ${part} ${type}`;
      if (media.example === undefined) found.push(`${where} has no example`);
      else if (type !== "application/json") continue;
      else if (part === "request" && !operation.takesBody(media.example))
        found.push(`${where} does not fit its schema`);
      else if (part !== "request") {
        const wrong = operation.judge(Number(part), media.example);
        if (wrong !== null) found.push(`${where} ${wrong}`);
      }
    }
    for (const parameter of raw.parameters ?? []) {
      const { name, example, required } = parameter;
      if (example === undefined && required) found.push(`${id} ?${name} has no example`);
      else if (example !== undefined && !operation.takesParameter(name, example))
        found.push(`${id} ?${name} does not fit its schema`);
    }
    return found;
  });
}

it.each(areas)("%s: every request and answer has an example that fits its schema", (area) => {
  expect(complaintsAbout(readArea(area))).toEqual([]);
});

it.each(areas)("%s: every operation has one tag, and every tag a description", (area) => {
  const { tags, paths } = readArea(area);
  const used = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ tags: own }): string[] => own ?? []),
  );
  expect(tags.filter(({ description }) => !description)).toEqual([]);
  expect(new Set(used.flat())).toEqual(new Set(tags.map(({ name }) => name)));
  expect(used.filter((own) => own.length !== 1)).toEqual([]);
});

/** What stands beside a reference. */
const besides = new Set(["description", "default", "deprecated"]);

it.each(areas)("%s: equal schemas are one named schema", (area) => {
  const { paths, components } = readArea(area);
  const places = new Map<string, string[]>();
  const look = (node: unknown, place: string): void => {
    if (Array.isArray(node)) for (const each of node) look(each, place);
    else if (typeof node === "object" && node !== null) {
      const schema = Object.fromEntries(Object.entries(node).filter(([key]) => !besides.has(key)));
      const hasFields = schema["type"] === "object" && Object.keys(schema["properties"] ?? {}).length > 0;
      if (hasFields || Array.isArray(schema["enum"])) {
        const key = JSON.stringify(schema);
        places.set(key, [...(places.get(key) ?? []), place]);
      }
      for (const [key, each] of Object.entries(schema)) if (key !== "example") look(each, `${place}/${key}`);
    }
  };
  look(paths, "");
  look(components.schemas, "#");
  expect([...places.values()].filter((each) => each.length > 1)).toEqual([]);
  // Of bodies only lists and free objects have no name.
  expect(Object.keys(components.schemas).length).toBeGreaterThan(
    ({ "data-layer": 3, auth: 15, governance: 20 } as Record<string, number>)[area] ?? 75,
  );
});

it.each(areas)("%s: every name and every value for examples is used", (area) => {
  const document = readArea(area);
  const { schemaNames = {}, exampleValues = {} } = describeArea(testArea(() => undefined, { name: area }));
  expect(Object.keys(schemaNames).filter((name) => !(name in document.components.schemas))).toEqual([]);
  const used = new Set<string | symbol>();
  const get = (values: object, key: string | symbol): unknown => {
    used.add(key);
    return Reflect.get(values, key);
  };
  addExamples({ ...document }, new Proxy<Record<string, unknown>>(exampleValues, { get }));
  expect(Object.keys(exampleValues).filter((key) => !used.has(key))).toEqual([]);
});

it("finds examples that are missing or wrong", () => {
  const document = readArea("coordinator");
  const { post, get } = {
    post: document.paths["/api/coordinator/v1/tech-adapters"]?.["post"],
    get: document.paths["/api/coordinator/v1/environments"]?.["get"],
  };
  delete post.requestBody.content["application/json"].example;
  get.responses["200"].content["application/json"].example = { data: [{ name: 3 }] };
  expect(complaintsAbout(document)).toEqual([
    expect.stringContaining("listEnvironments 200 application/json "),
    "createTechAdapter request application/json has no example",
  ]);
});

it.each(areas)("%s: no example and no name of a schema looks like a secret", (area) => {
  const text = JSON.stringify(readArea(area));
  expect(text).not.toMatch(/\bsk-[A-Za-z0-9]|AKIA[0-9A-Z]{8}|-----BEGIN|ey[A-Za-z0-9_-]{10,}\.ey/);
});
