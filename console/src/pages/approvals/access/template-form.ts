/** Pure: the form of an access request template as fields. What has no field of its own kind is written as JSON. */
import type { Entity } from "../../../api/entity.ts";

export type FieldKind = "text" | "long" | "choice" | "number" | "flag" | "list" | "json";

export interface FormField {
  name: string;
  title: string;
  description: string | undefined;
  kind: FieldKind;
  choices: string[];
  isRequired: boolean;
  initial: unknown;
}

type Values = Record<string, unknown>;

const isRecord = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** The fields of all pages of the form, without the identities, which every request has. */
export const fieldsOf = ({ spec }: Entity): FormField[] => {
  const parameters = spec?.["parameters"];
  return [parameters].flat().filter(isRecord).flatMap(fieldsOfPage);
};

const fieldsOfPage = ({ properties, required }: Values): FormField[] =>
  Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, schema]) =>
    name === "identities" || !isRecord(schema)
      ? []
      : [
          {
            name,
            title: textOf(schema["title"]) ?? name,
            description: textOf(schema["description"]),
            kind: kindOf(schema),
            choices: choicesOf(schema["enum"]),
            isRequired: Array.isArray(required) && required.includes(name),
            initial: schema["default"],
          },
        ],
  );

const choicesOf = (values: unknown): string[] =>
  Array.isArray(values) ? values.filter((value): value is string => typeof value === "string") : [];

const kindOf = (schema: Values): FieldKind => {
  const { type, items } = schema;
  if (choicesOf(schema["enum"]).length > 0) return "choice";
  if (type === "string") return schema["ui:widget"] === "textarea" ? "long" : "text";
  if (type === "number" || type === "integer") return "number";
  if (type === "boolean") return "flag";
  if (type === "array" && isRecord(items) && items["type"] === "string") return "list";
  return "json";
};

/** The type of request that a template is for; undefined: for both. */
export const operationOf = ({ spec }: Entity): string | undefined => textOf(spec?.["type"])?.toUpperCase();

export interface Part {
  id: string;
  name: string;
  isConsumable: boolean;
}

/** Deployed components and subcomponents: those that are consumable first. The server decides whether one may be asked for. */
export const partsOf = (descriptor: unknown, deployed: ReadonlySet<string>): Part[] => {
  const found: Part[] = [];
  const walk = (components: unknown, isParentThere: boolean): void => {
    if (!Array.isArray(components)) return;
    for (const component of components.filter(isRecord)) {
      const id = textOf(component["id"]);
      if (id === undefined) continue;
      const isThere = isParentThere || deployed.has(id.toLowerCase());
      const { consumable, kind } = component;
      const isConsumable = typeof consumable === "boolean" ? consumable : kind === "outputport";
      if (isThere) found.push({ id, name: textOf(component["name"]) ?? id, isConsumable });
      walk(component["components"], isThere);
    }
  };
  walk(isRecord(descriptor) ? descriptor["components"] : [], false);
  return found.toSorted((a, b) => Number(b.isConsumable) - Number(a.isConsumable));
};
