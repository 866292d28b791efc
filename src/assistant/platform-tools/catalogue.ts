/** Tools that read the catalogue. */
import { Type } from "typebox";
import { offset, pageSize, readEntityRef, textInput } from "./inputs.ts";
import { platformTool, urlPath, type Caller } from "./tool.ts";

const summaryFields = [
  "kind",
  "metadata.namespace",
  "metadata.name",
  "metadata.title",
  "metadata.description",
  "metadata.tags",
  "spec.type",
  "spec.owner",
  "spec.system",
  "spec.domain",
  "spec.lifecycle",
];

interface Search {
  text: string | undefined;
  conditions: string[];
  limit: number;
  offset: number;
}

/** Entities in short, with their references. */
export async function searchEntities(caller: Caller, { text, conditions, limit, offset: from }: Search) {
  const { value } = await caller.get("/api/catalog/entities/by-query", {
    filter: conditions.length === 0 ? undefined : [conditions.join(",")],
    fields: [summaryFields.join(",")],
    limit,
    offset: from,
    ...(text === undefined ? {} : { fullTextFilterTerm: text, fullTextFilterFields: searchedFields }),
  });
  const entities = (value.items as any[]).map(summarized);
  return { total: value.totalItems as number, offset: from, entities };
}

const searchedFields = ["metadata.name,metadata.title,metadata.description,metadata.tags"];

function summarized({ kind, metadata, spec }: any) {
  const { namespace = "default", name, title, description, tags } = metadata;
  return { ref: `${kind}:${namespace}/${name}`.toLowerCase(), title, description, tags, ...spec };
}

export const searchCatalogue = platformTool({
  name: "search_catalogue",
  title: "Search the catalogue",
  description:
    "Finds systems, components, output ports, domains, users, groups and other entities of the catalogue, in short. " +
    "Read one in full with get_entity.",
  readOnly: true,
  input: Type.Object({
    text: Type.Optional(
      textInput("Part of the name, title, description or a tag. Leave out to list all.", 200),
    ),
    kind: Type.Optional(textInput("Only entities of this kind, for example `system` or `component`.", 63)),
    type: Type.Optional(textInput("Only entities with this `spec.type`, for example `outputport`.", 128)),
    owner: Type.Optional(textInput("Only entities that this user or group owns, as a reference.", 255)),
    system: Type.Optional(textInput("Only components of this system, as a reference.", 255)),
    limit: pageSize,
    offset,
  }),
  run: (caller, { text, kind, type, owner, system, limit, offset: from }) =>
    searchEntities(caller, {
      text,
      limit,
      offset: from,
      conditions: [
        ...condition("kind", kind),
        ...condition("spec.type", type),
        ...condition("relations.ownedBy", owner),
        ...condition("relations.partOf", system),
      ],
    }),
});

/** A comma would begin another condition. */
const condition = (key: string, value: string | undefined): string[] =>
  value === undefined ? [] : [`${key}=${value.replaceAll(",", " ")}`];

export const getEntity = platformTool({
  name: "get_entity",
  title: "Read an entity",
  description: "Reads one entity of the catalogue in full, with its relations.",
  readOnly: true,
  input: Type.Object({ ref: textInput("Reference of the entity: `kind:namespace/name`.", 400) }),
  async run(caller, { ref }) {
    const { kind, namespace, name } = readEntityRef(ref, "component");
    const path = urlPath`/api/catalog/entities/by-name/${kind}/${namespace}/${name}`;
    return (await caller.get(path)).value;
  },
});
