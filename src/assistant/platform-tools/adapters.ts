/** Tools that read the catalogue of tech adapters. */
import { Type } from "typebox";
import { offset, pageSize, textInput } from "./inputs.ts";
import { platformTool, urlPath } from "./tool.ts";

export const listTechAdapters = platformTool({
  name: "list_tech_adapters",
  title: "List tech adapters",
  description:
    "Lists the tech adapters that deploy components, with the environments that they are deployed in.",
  readOnly: true,
  input: Type.Object({
    text: Type.Optional(textInput("Part of the name.", 200)),
    labels: Type.Optional(
      Type.Array(textInput("As key=value.", 255), { maxItems: 20, description: "All have to match." }),
    ),
    limit: pageSize,
    offset,
  }),
  async run(caller, { text, labels, limit, offset: from }) {
    const query = { search: text, labels, limit, offset: from };
    const { value } = await caller.get("/api/coordinator/v1/tech-adapters", query);
    return { adapters: value.data as unknown[], ...value.meta.pagination };
  },
});

export const getTechAdapter = platformTool({
  name: "get_tech_adapter",
  title: "Read a tech adapter",
  description:
    "Reads one tech adapter: its id, version, labels, and whether it is enabled in each environment.",
  readOnly: true,
  input: Type.Object({ id: textInput("Id of the adapter, for example `urn:dmb:itm:postgres:1`.") }),
  run: async (caller, { id }) => (await caller.get(urlPath`/api/coordinator/v1/tech-adapters/${id}`)).value,
});
