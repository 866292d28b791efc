/**
 * Pure: the page of a template as a JSON schema and what the form shows of it. Templates come from many people, so of their `ui:` keys
 * only those that are named here get into the form, with values of the right type: nothing of a template becomes a property of an
 * element.
 */
import type { RJSFSchema, UiSchema } from "@rjsf/utils";
import { isRecord, textsOf, type Values } from "./json.ts";

export interface FormParts {
  schema: RJSFSchema;
  uiSchema: UiSchema;
}

/** Values of `ui:field` that have a widget here; others get the widget of their type. */
export const pickers = new Set([
  "EntityPicker",
  "MultiEntityPicker",
  "OwnedEntityPicker",
  "EntityRelationsPicker",
  "EntityComponentsPicker",
  "OwnerPicker",
  "MyGroupsPicker",
  "RepoUrlPicker",
  "EntityTagsPicker",
]);

const widgets = new Set([
  "text",
  "textarea",
  "password",
  "radio",
  "select",
  "checkbox",
  "checkboxes",
  "hidden",
  "updown",
  "email",
  "uri",
  "date",
  "datetime",
  "time",
]);

const isText = (value: unknown): value is string => typeof value === "string";
const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

type Test = (value: unknown) => boolean;

const shown: Record<string, Test> = {
  title: isText,
  description: isText,
  help: isText,
  placeholder: isText,
  autofocus: isFlag,
  disabled: isFlag,
  readonly: isFlag,
  order: isTexts,
  enumNames: isTexts,
  enumDisabled: Array.isArray,
  rows: (value) => Number.isInteger(value) && Number(value) > 0 && Number(value) <= 60,
  inline: isFlag,
  addable: isFlag,
  orderable: isFlag,
  removable: isFlag,
};

/** By key of `ui:`, and by the name of a part. */
interface Ui {
  [key: string]: unknown;
}

const below = (ui: Ui, name: string): Ui => {
  const part = isRecord(ui[name]) ? ui[name] : {};
  ui[name] = part;
  return part;
};

const maxDepth = 40;
const lists = new Set(["allOf", "anyOf", "oneOf"]);
const branches = new Set(["then", "else", "not", "if"]);

/** Takes the schema apart; it stays as it is. */
export const splitSchema = (page: unknown): FormParts => {
  const uiSchema: Ui = {};
  const schema = split(page, uiSchema, 0);
  return { schema: isRecord(schema) ? schema : {}, uiSchema };
};

const split = (part: unknown, ui: Ui, depth: number): unknown => {
  if (!isRecord(part) || depth > maxDepth) return part === true || part === false ? part : {};
  const plain: Values = {};
  for (const [key, value] of Object.entries(part))
    if (isWanted(key, value)) plain[key] = splitKey(key, value, ui, depth + 1);
  Object.assign(ui, uiOf(part));
  return plain;
};

const isWanted = (key: string, value: unknown): boolean => {
  if (key.startsWith("ui:") || notOfSchema.has(key) || reserved.has(key)) return false;
  if (key === "title" || key === "description") return isText(value);
  return key !== "required" || isTexts(value);
};

const splitKey = (key: string, value: unknown, ui: Ui, depth: number): unknown => {
  if (key === "properties" && isRecord(value))
    return mapped(value, (part, name) => split(part, below(ui, name), depth));
  if (key === "items")
    return Array.isArray(value)
      ? value.map((part) => split(part, {}, depth))
      : split(value, below(ui, "items"), depth);
  if (key === "additionalProperties") return split(value, below(ui, "additionalProperties"), depth);
  if (lists.has(key) && Array.isArray(value)) return value.map((part) => split(part, ui, depth));
  if (branches.has(key)) return split(value, ui, depth);
  if (key === "dependencies" && isRecord(value))
    return mapped(value, (part) => (Array.isArray(part) ? part : split(part, ui, depth)));
  // What is referred to has no place of its own in the form, so its `ui:` keys get lost.
  if ((key === "definitions" || key === "$defs") && isRecord(value))
    return mapped(value, (part) => split(part, {}, depth));
  return value;
};

/** Keywords that no field needs, and one that gets into the form as `ui:enumNames`. */
const notOfSchema = new Set(["$id", "$schema", "enumNames"]);

/** Names that mean something to every object. */
const reserved = new Set(["__proto__", "constructor", "prototype"]);

const mapped = (value: Values, change: (part: unknown, name: string) => unknown): Values =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !reserved.has(name))
      .map(([name, part]) => [name, change(part, name)]),
  );

const uiOf = (part: Values): Ui => {
  const options = isRecord(part["ui:options"]) ? part["ui:options"] : {};
  const ui: Ui = namesOf(part["enumNames"]);
  for (const [name, test] of Object.entries(shown))
    for (const value of [options[name], part[`ui:${name}`]]) if (test(value)) ui[`ui:${name}`] = value;
  const field = part["ui:field"];
  const widget = part["ui:widget"] ?? options["widget"];
  if (field === "Secret" || part["format"] === "password") ui["ui:widget"] = "password";
  else if (isText(field) && pickers.has(field)) {
    ui["ui:widget"] = field;
    ui["ui:options"] = { pick: pickOf(options) };
  } else if (isText(widget) && widgets.has(widget)) ui["ui:widget"] = widget;
  return ui;
};

/** Templates of Backstage name values beside `enum`, where the library no longer looks. */
const namesOf = (names: unknown): Ui =>
  Array.isArray(names) && names.every((name) => isText(name) || typeof name === "number")
    ? { "ui:enumNames": names.map(String) }
    : {};

/** What a picker offers. */
export interface Pick {
  kinds: string[];
  /** Filters of the catalogue, one of which an entity has to fit. */
  filters: Values[];
  defaultKind: string | null;
  allowsOthers: boolean;
  hosts: string[];
  owners: string[];
  organizations: string[];
  projects: string[];
  repositories: string[];
}

const pickOf = (options: Values): Pick => {
  const { allowedKinds, catalogFilter, defaultKind, allowArbitraryValues } = options;
  return {
    kinds: textsOf(allowedKinds),
    filters: [catalogFilter].flat().filter(isRecord),
    defaultKind: isText(defaultKind) ? defaultKind : null,
    allowsOthers: allowArbitraryValues !== false,
    hosts: textsOf(options["allowedHosts"]),
    owners: textsOf(options["allowedOwners"]),
    organizations: textsOf(options["allowedOrganizations"]),
    projects: textsOf(options["allowedProjects"]),
    repositories: textsOf(options["allowedRepos"]),
  };
};
