import { expect, it } from "vitest";
import { descriptorRecord, entityRecord, skillRecord, toolRecord } from "./passages.ts";
import { documentRows } from "./sources.ts";

it("of a heading the section weighs most, then the page", () => {
  const [row] = documentRows({
    key: "a.md",
    names: ["a.md"],
    passages: [{ title: "Tides › When it turns", text: "At noon.", reference: "a.md#when-it-turns" }],
  });
  expect(row).toMatchObject({ titleWords: "when it turns", nameWords: "tides a md", bodyWords: "at noon" });
});

it("a skill is found by its words and its tools", () => {
  const skill = {
    id: "s1",
    platformKey: "",
    name: "Dredge",
    description: "Clears.",
    content: "# How",
    tools: ["yard:dig"],
  };
  expect(skillRecord(skill)).toEqual({
    key: "s1",
    names: ["yard:dig"],
    passages: [{ title: "Dredge", text: "Clears.\n\n# How", lead: "Clears.", reference: "s1" }],
  });
});

it("what is shipped is found by the phrases in which people ask for it, which are no text", () => {
  const skill = { id: "s1", name: "Review", description: "", content: "", tools: [] };
  const shipped = skillRecord({ ...skill, platformKey: "review-readiness" });
  const [row] = documentRows(shipped);
  expect(shipped.passages[0]?.asked).toContain("quality gate");
  expect(row?.askedWords).toContain("quality gate");
  expect(row).toMatchObject({ title: "Review", body: "" });
  expect(documentRows(skillRecord({ ...skill, platformKey: "" }))[0]).toMatchObject({ askedWords: "" });
});

it("a tool is found by its parameters, too, whatever its schema is", () => {
  const inputSchema = { properties: { depthMetres: { description: "How deep." }, odd: 7 } };
  const tool = { id: "yard:dig", name: "dig", title: null, description: "Digs.", inputSchema };
  expect(toolRecord(tool).passages[0]?.text).toBe("Digs.\n\ndepthMetres How deep.\nodd");
  expect(toolRecord({ ...tool, description: "", inputSchema: "none" }).passages).toEqual([
    { title: "dig", text: "", lead: "", reference: "yard:dig" },
  ]);
  expect(toolRecord({ ...tool, title: "Dig a hole" }).passages[0]?.title).toBe("Dig a hole (dig)");
});

it("of an entity only what describes it is taken", () => {
  const entity = {
    kind: "Component",
    metadata: {
      name: "tides",
      title: "Tides",
      description: "Of the bay.",
      tags: ["sea"],
      annotations: { a: "canary" },
      labels: { b: "canary" },
    },
    spec: { type: "outputport", owner: "group:default/pilots", mesh: { specific: { password: "canary" } } },
  };
  const record = entityRecord("component:default/tides", entity);
  expect(record).toEqual({
    key: "component:default/tides",
    names: ["component:default/tides", "Component", "sea"],
    passages: [
      {
        title: "Tides",
        text: "Of the bay.\n\nkind: Component\ntype: outputport\nowner: group:default/pilots\ntags: sea",
        lead: "Of the bay.",
        reference: "component:default/tides",
      },
    ],
  });
  expect(entityRecord("user:default/x", { spec: "odd" }).passages).toHaveLength(1);
});

it("a descriptor has a passage for each component, and nothing of what is specific to a technology", () => {
  const descriptor = {
    id: "urn:dmb:dp:sea:tides:0",
    name: "Tides",
    domain: "sea",
    components: [
      {
        id: "urn:dmb:cmp:sea:tides:0:port",
        name: "port",
        description: "Heights.",
        specific: { password: "canary" },
        dataContract: { schema: [{ name: "heightMetres", description: "Above the chart." }, 3] },
        components: [{ id: "sub", name: "view", specific: "canary" }],
      },
      null,
    ],
  };
  const record = descriptorRecord("development/tides", "urn:dmb:dp:sea:tides:0", descriptor);
  expect(record.passages.map(({ title, reference }) => [title, reference])).toEqual([
    ["Tides", "urn:dmb:dp:sea:tides:0"],
    ["Tides › port", "urn:dmb:cmp:sea:tides:0:port"],
    ["Tides › view", "sub"],
  ]);
  expect(record.passages[1]?.text).toContain("heightMetres Above the chart.");
  expect(JSON.stringify(record)).not.toContain("canary");
});
