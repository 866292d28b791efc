/** The documentation of a chart's values, from the comments of values.yaml and the types of values.schema.json. */
import { isMap, isScalar, parseDocument, type Pair, type YAMLMap } from "yaml";

interface Schema {
  $ref?: string;
  type?: string;
  enum?: readonly string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: boolean | Schema;
  $defs?: Record<string, Schema>;
}

export interface ChartValue {
  path: string[];
  comment: string;
  /** JSON of the default; undefined for a value that only has parts. */
  default?: string;
  type: string;
}

/** Every value with a comment, in the file's order. Throws for what has no comment of its own, or no schema. */
export function listValues(yaml: string, schema: Schema): ChartValue[] {
  const { contents } = parseDocument(yaml);
  if (!isMap(contents)) throw new Error("values.yaml is not a map.");
  return contents.items.flatMap((pair) =>
    valuesOf(pair, [], { schema, of: schema, header: headerOf(contents) }),
  );
}

interface Place {
  /** The whole schema, for references. */
  schema: Schema;
  /** The schema of the map that the value is in. */
  of: Schema;
  /** The comment that stands before the map's first key. */
  header: string;
}

function valuesOf(pair: Pair, above: string[], { schema, of, header }: Place): ChartValue[] {
  const key = isScalar(pair.key) ? String(pair.key.value) : "";
  const path = [...above, key];
  const own = resolved(of, schema).properties?.[key];
  if (own === undefined) throw new Error(`values.schema.json has no ${path.join(".")}.`);
  const comment = (isScalar(pair.key) ? textOf(pair.key.commentBefore) : "") || header;
  const { value } = pair;
  const found = resolved(own, schema);
  const hasParts = isMap(value) && !value.flow && value.items.length > 0 && found.properties !== undefined;
  if (comment === "" && above.length === 0)
    throw new Error(`${path.join(".")} has no comment in values.yaml.`);
  if (!hasParts || !partsAreDescribed(value)) {
    const shown =
      isMap(value) || value === null ? JSON.stringify(toJson(value)) : JSON.stringify(toJson(value));
    return [{ path, comment, default: shown, type: typeOf(found, schema) }];
  }
  const parts = value.items.flatMap((each, index) =>
    valuesOf(each, path, { schema, of: own, header: index === 0 ? headerOf(value) : "" }),
  );
  return [{ path, comment, type: "map" }, ...parts];
}

/** The parts of a map are values of their own when each has a comment. */
const partsAreDescribed = (map: YAMLMap): boolean =>
  map.items.every(
    ({ key }, index) =>
      (isScalar(key) && textOf(key.commentBefore) !== "") || (index === 0 && headerOf(map) !== ""),
  );

const headerOf = (map: YAMLMap): string => textOf(map.commentBefore);

/** Only the block right before a key belongs to it. */
const textOf = (comment: string | null | undefined): string =>
  (comment ?? "").split("\n\n").at(-1)!.replaceAll(/\s+/g, " ").trim();

const toJson = (node: unknown): unknown =>
  node !== null && typeof node === "object" && "toJSON" in node ? (node.toJSON as () => unknown)() : node;

function resolved(schema: Schema, whole: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.replace("#/$defs/", "");
  const found = whole.$defs?.[name];
  if (found === undefined) throw new Error(`values.schema.json has no ${schema.$ref}.`);
  return resolved(found, whole);
}

function typeOf(schema: Schema, whole: Schema): string {
  const found = resolved(schema, whole);
  if (found.enum) return found.enum.map((choice) => `\`${choice}\``).join(", ");
  if (found.anyOf) return typeOf(found.anyOf[0]!, whole);
  if (found.type === "array") return "list";
  if (found.type === "object") return "map";
  return { string: "text", boolean: "true or false", integer: "whole number" }[found.type ?? ""] ?? "any";
}

const intro = `# Values of the chart

<!-- Made by scripts/reference-chart.ts from charts/plinth/values.yaml and values.schema.json; change it there. -->

\`charts/plinth\` installs Plinth on Kubernetes 1.30 or newer with Helm. How to use it is in [the guide](../guides/kubernetes.md),
every setting that \`config\` takes in [settings](settings.md). A key that is not on this page is refused.
`;

export function renderValues(values: readonly ChartValue[]): string {
  const groups = Map.groupBy(values, ({ path }) => path[0]!);
  const alone = [...groups.values()].filter((members) => members.length === 1).flat();
  const sections = [...groups].filter(([, members]) => members.length > 1);
  return [
    intro,
    table(alone),
    ...sections.map(([name, [first, ...members]]) => `## ${name}\n\n${first!.comment}\n\n${table(members)}`),
  ].join("\n");
}

function table(values: readonly ChartValue[]): string {
  const rows = values.map(({ path, type, comment, default: usual }) => {
    const shown = usual === undefined ? "" : `\`${usual}\``;
    return `| \`${path.join(".")}\` | ${type} | ${shown} | ${comment.replaceAll("|", "\\|")} |`;
  });
  return ["| Value | Type | Default | Meaning |", "|---|---|---|---|", ...rows, ""].join("\n");
}
