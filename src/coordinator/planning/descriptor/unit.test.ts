import { expect, test } from "vitest";
import { descriptorLimits } from "./limits.ts";
import { readUnit } from "./unit.ts";

const whereOf = (value: unknown) =>
  readUnit(value).problems.map(({ where, message }) => `${where} ${message}`);

test("reads a unit with what it needs and keeps the rest", () => {
  const descriptor = {
    id: "urn:dmb:dp:finance:orders:0",
    name: "orders",
    version: 1.2,
    environment: "development",
    somethingElse: { retained: true },
    components: [
      {
        id: 7,
        name: "storage",
        infrastructureTemplateId: "urn:dmb:itm:S3:1",
        dependsOn: null,
        components: [{ name: "bucket", dependsOn: ["other"], components: [{ id: "deep" }] }],
      },
      { id: "other", dependsOn: [7], infrastructureTemplateId: " " },
    ],
  };
  const { unit, problems } = readUnit(descriptor);
  expect(problems).toEqual([]);
  expect(unit).toMatchObject({
    id: "urn:dmb:dp:finance:orders:0",
    version: "1.2",
    environment: "development",
    infrastructureTemplateId: undefined,
    descriptor,
  });
  expect(unit!.components[0]).toMatchObject({
    id: "7",
    version: "",
    infrastructureTemplateId: "urn:dmb:itm:S3:1",
    dependsOn: [],
    pointer: "/descriptor/components/0",
  });
  expect(unit!.components[0]!.subcomponents.map(({ id, pointer }) => `${id} ${pointer}`)).toEqual([
    "7:bucket /descriptor/components/0/components/0",
    "deep /descriptor/components/0/components/0/components/0",
  ]);
  expect(unit!.components[1]).toMatchObject({ dependsOn: ["7"], infrastructureTemplateId: undefined });
});

test("compares ids without regard to case, and keeps their spelling", () => {
  const { unit } = readUnit({ id: "URN:A", components: [{ id: "Urn:B" }] });
  expect([unit!.id, unit!.key, unit!.components[0]!.id, unit!.components[0]!.key]).toEqual([
    "URN:A",
    "urn:a",
    "Urn:B",
    "urn:b",
  ]);
});

test("collects everything that is wrong, with its place", () => {
  expect(
    whereOf({
      id: "  ",
      name: [],
      version: {},
      infrastructureTemplateId: true,
      components: [
        "text",
        { name: "no id" },
        { id: { a: 1 } },
        { id: "a\nb" },
        { id: "x".repeat(513) },
        { id: "fine", dependsOn: "fine too", components: 5 },
        { id: "finer", dependsOn: ["fine", "", null, {}, 3], components: [null] },
      ],
    }),
  ).toEqual([
    "/descriptor/id The id is empty.",
    "/descriptor/name name is not text.",
    "/descriptor/version version is not text.",
    "/descriptor/infrastructureTemplateId infrastructureTemplateId is not text.",
    "/descriptor/components/0 The component is not an object.",
    "/descriptor/components/1/id The id is missing.",
    "/descriptor/components/2/id The id is not text.",
    "/descriptor/components/3/id The id holds a control character.",
    "/descriptor/components/4/id The id is longer than 512 characters.",
    "/descriptor/components/5/components components is not a list.",
    "/descriptor/components/5/dependsOn dependsOn is not a list.",
    "/descriptor/components/6/components/0 The component is not an object.",
    "/descriptor/components/6/dependsOn/1 The dependsOn entry is not a component id.",
    "/descriptor/components/6/dependsOn/2 The dependsOn entry is not a component id.",
    "/descriptor/components/6/dependsOn/3 The dependsOn entry is not a component id.",
  ]);
});

test.each([[null], [[]], ["text"], [5], [undefined]])("refuses %j as a descriptor", (value) => {
  expect(readUnit(value)).toEqual({
    unit: undefined,
    problems: [
      {
        where: "/descriptor",
        message: "The descriptor is not an object.",
        solution: "Give an object with id, name, version and components.",
      },
    ],
  });
});

test("a missing list of components is not an empty one", () => {
  expect(whereOf({ id: "u", component: [] })).toEqual([
    "/descriptor/components The descriptor has no components list.",
  ]);
  expect(whereOf({ id: "u", components: [] })).toEqual([]);
});

test("every problem says what to do", () => {
  const { problems } = readUnit({ id: 1, name: {}, components: [{}, 1, { id: "a", dependsOn: 1 }] });
  expect(problems.length).toBe(4);
  for (const { solution } of problems) expect(solution).toMatch(/\.$/);
});

test("refuses more components than the limit, nested ones included", () => {
  const nested = Array.from({ length: 5_000 }, (_, index) => ({ id: `n${index}` }));
  const flat = Array.from({ length: 4_999 }, (_, index) => ({ id: `f${index}` }));
  expect(whereOf({ id: "u", components: [{ id: "a", components: nested }, ...flat] })).toEqual([]);
  expect(whereOf({ id: "u", components: [{ id: "a", components: nested }, ...flat, { id: "b" }] })).toEqual([
    "/descriptor/components The descriptor has 10001 components; at most 10000 are allowed.",
  ]);
});

test("tells the first problems, and that there are more", () => {
  const components = Array.from({ length: 1_500 }, () => ({}));
  const { problems } = readUnit({ id: "u", components });
  expect(problems).toHaveLength(descriptorLimits.problems + 1);
  expect(problems.at(-1)!.message).toBe("There are further problems, which are not listed.");
});

test("refuses what can be neither stored nor walked", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 200_000; level += 1) deep = [deep];
  expect(whereOf({ id: "u", components: [], deep })).toEqual([
    "/descriptor The descriptor is nested deeper than 100 levels.",
  ]);
  const circle: Record<string, unknown> = { id: "u", components: [] };
  circle["self"] = circle;
  expect(whereOf(circle)).toEqual(["/descriptor The descriptor is nested deeper than 100 levels."]);
  expect(whereOf({ id: "u", components: [], wide: Array.from({ length: 1_000_001 }, () => 0) })).toEqual([
    "/descriptor The descriptor holds more than 1000000 values.",
  ]);
  const long = "x".repeat(descriptorLimits.characters / 2);
  expect(whereOf({ id: "u", components: [], a: long, b: long })).toEqual([
    "/descriptor The descriptor holds more than 33554432 characters of text.",
  ]);
  expect(
    whereOf({ id: "u", components: [{ id: "a", "x/y~z": "b\0", t: "\ud800", "k\0": 1, fine: "😀" }] }),
  ).toEqual([
    "/descriptor/components/0 The text holds a NUL character or half of a surrogate pair.",
    "/descriptor/components/0/x~1y~0z The text holds a NUL character or half of a surrogate pair.",
    "/descriptor/components/0/t The text holds a NUL character or half of a surrogate pair.",
  ]);
});
