import { dump } from "js-yaml";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBehaviourReader, parseComponentId, scanComponentId } from "./identify.ts";

const bodyOf = (descriptor: string, more: object = {}) =>
  Buffer.from(JSON.stringify({ descriptorKind: "COMPONENT_DESCRIPTOR", descriptor, ...more }));

describe("scanning for the component id", () => {
  it.each([
    [
      "at the end",
      "dataProduct:\n  id: u\ncomponentIdToProvision: urn:dmb:cmp:a:b:0:c\n",
      "urn:dmb:cmp:a:b:0:c",
    ],
    ["at the beginning", "componentIdToProvision: c1\ndataProduct: {id: u}\n", "c1"],
    ["without a last line break", "dataProduct: {}\ncomponentIdToProvision: c1", "c1"],
    ["in double quotes", 'dataProduct: {}\ncomponentIdToProvision: "urn:x:1"\n', "urn:x:1"],
    ["in single quotes", "dataProduct: {}\ncomponentIdToProvision: 'it''s'\n", "it's"],
    ["with CRLF", "dataProduct: {}\r\ncomponentIdToProvision: c1\r\nx: 1\r\n", "c1"],
    ["with a comment", "componentIdToProvision: c1 # the one\n", "c1"],
    ["indented, so part of something else", "a:\n  componentIdToProvision: c1\n", null],
    ["in a text", "a: the componentIdToProvision: c1\n", null],
    ["missing", "id: unit\n", null],
    ["as JSON", '{"dataProduct":{},"componentIdToProvision":"c1"}', null],
  ])("%s", (_name, descriptor, expected) => {
    expect(scanComponentId(bodyOf(descriptor))).toBe(expected);
  });

  it("takes the key at the beginning of a line, not its mention in a text block before or after", () => {
    const descriptor =
      "text: 'say componentIdToProvision: no'\ncomponentIdToProvision: yes1\nnote: 'componentIdToProvision: no'\n";
    expect(scanComponentId(bodyOf(descriptor))).toBe("yes1");
  });

  it("agrees with the parser on any id that a dumper writes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 30 }), (id) => {
        const descriptor = dump({ dataProduct: { id: "u" }, componentIdToProvision: id }, { lineWidth: -1 });
        const scanned = scanComponentId(bodyOf(descriptor));
        fc.pre(!descriptor.includes("|-") && !descriptor.includes(">-") && !descriptor.includes("\\"));
        expect(scanned).toBe(parseComponentId(descriptor));
      }),
      { numRuns: 1_000 },
    );
  });

  it("never throws", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        (text) => void scanComponentId(Buffer.from(`"componentIdToProvision${text}`)),
      ),
    );
  });
});

describe("wishes in a descriptor", () => {
  const descriptor = dump({
    dataProduct: {
      id: "u",
      components: [
        { id: "a", specific: { mock: { mode: "async", runningPolls: 3 } } },
        {
          id: "b",
          infrastructureTemplateId: "urn:dmb:itm:mock:1",
          components: [{ id: "b:n", specific: { mock: { fail: "500" } } }],
        },
        { id: "c", specific: { mock: { mode: "later", colour: 1 } } },
      ],
    },
  });

  it("are read for every component, nested ones too, with their problems", () => {
    const { byId, problems } = createBehaviourReader()(bodyOf(`${descriptor}componentIdToProvision: a\n`));
    expect(byId.get("a")).toEqual({ mode: "async", runningPolls: 3 });
    expect(byId.get("b:n")).toMatchObject({ odd: { start: { name: "500" } } });
    expect(problems.get("c")).toEqual([
      { where: "/specific/mock/mode", message: "must be one of sync, async" },
      { where: "/specific/mock/colour", message: "is not a behaviour of the mock" },
    ]);
  });

  it("are parsed once for all components of the same descriptor", () => {
    const read = createBehaviourReader();
    const first = read(bodyOf(`${descriptor}componentIdToProvision: a\n`));
    expect(read(bodyOf(`${descriptor}componentIdToProvision: b\n`))).toBe(first);
    expect(read(bodyOf(`${descriptor}x: 1\ncomponentIdToProvision: b\n`))).not.toBe(first);
  });

  it("are not looked for where only an identifier says mock", () => {
    const read = createBehaviourReader();
    const plain = read(bodyOf("dataProduct:\n  infrastructureTemplateId: urn:dmb:itm:mock:1\n"));
    expect(read(bodyOf("dataProduct: {}"))).toBe(plain);
  });
});
