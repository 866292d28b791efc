/** Pure: what a wizard fills in, from the two kinds of forms that the server has. */
import type { BuilderComponents } from "plinth-client";
import { isRecord, textOr, type Values } from "../form/json.ts";
import { secretPaths, withoutSecrets } from "../form/secrets.ts";

export type WizardKind = "create" | "edit" | "reverse";

export interface WizardPage {
  title: string;
  description: string;
  /** As the server sends it. */
  schema: unknown;
  /** Asked for each environment. */
  isByEnvironment: boolean;
  /** Names of its fields, whatever branch of the schema they are in. */
  names: ReadonlySet<string>;
  secrets: string[][];
}

export interface Draft {
  /** The values of each page; those of pages by environment are in `overrides`. */
  pages: Values[];
  overrides: Record<string, Values>;
  /** Of a reverse provisioning: which environment is read. */
  environment: string | null;
}

export interface Subject {
  templateRef: string;
  kind: WizardKind;
  title: string;
  description: string;
  entityRef: string | null;
  /** The commit that the values of an edit were read from. */
  revision: string | null;
  pages: WizardPage[];
  environments: readonly string[];
  /** What the form begins with. */
  initial: Draft;
  /** What the entity has now, so that a field that was emptied can be taken away. */
  known: Values;
}

type CreationForm = BuilderComponents["schemas"]["ScaffolderParameterSchema"];
type EditForm = BuilderComponents["schemas"]["EntityForm"];

export const creationSubject = (
  templateRef: string,
  { title, description, steps }: CreationForm,
  environments: readonly string[],
): Subject => {
  const pages = steps.map((step) => pageOf({ ...step, isByEnvironment: false }));
  return {
    templateRef,
    kind: "create",
    title,
    description: description ?? "",
    entityRef: null,
    revision: null,
    pages,
    environments,
    initial: { pages: pages.map(() => ({})), overrides: {}, environment: null },
    known: {},
  };
};

export const editSubject = (form: EditForm): Subject => {
  const pages = form.steps.map((step) => pageOf({ ...step, isByEnvironment: step.environmentParameters }));
  return {
    templateRef: form.templateRef,
    kind: form.kind,
    title: form.title,
    description: form.description ?? "",
    entityRef: form.entityRef,
    revision: form.revision,
    pages,
    environments: form.environments,
    initial: {
      pages: distribute(pages, form.values),
      overrides: overridesOf(form.environmentOverrides),
      environment: form.kind === "reverse" ? (form.environments[0] ?? null) : null,
    },
    known: form.values,
  };
};

interface Step {
  title: string;
  description?: string;
  schema: unknown;
  isByEnvironment: boolean;
}

const pageOf = ({ title, description, schema, isByEnvironment }: Step): WizardPage => ({
  title,
  description: description ?? (isRecord(schema) ? textOr(schema["description"], "") : ""),
  schema,
  isByEnvironment,
  names: new Set(fieldsOf(schema).keys()),
  secrets: secretPaths(schema),
});

const maxDepth = 10;

/** The fields of a page with their schemas, also those that only some values ask for. */
export const fieldsOf = (schema: unknown, depth = 0): Map<string, Values> => {
  const found = new Map<string, Values>();
  if (!isRecord(schema) || depth > maxDepth) return found;
  const parts: unknown[] = ["allOf", "anyOf", "oneOf", "then", "else"].flatMap((key) => schema[key]);
  if (isRecord(schema["dependencies"])) parts.push(...Object.values(schema["dependencies"]));
  for (const part of parts)
    for (const [name, field] of fieldsOf(part, depth + 1)) if (!found.has(name)) found.set(name, field);
  if (isRecord(schema["properties"]))
    for (const [name, field] of Object.entries(schema["properties"]))
      if (isRecord(field)) found.set(name, field);
  return found;
};

/** Each page gets the values that it has fields for. */
export const distribute = (pages: readonly WizardPage[], values: Values): Values[] =>
  pages.map(({ names, isByEnvironment }) =>
    isByEnvironment ? {} : Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name))),
  );

export const overridesOf = (value: Values): Record<string, Values> =>
  Object.fromEntries(Object.entries(value).flatMap(([name, own]) => (isRecord(own) ? [[name, own]] : [])));

/** What an earlier run was given, without its secrets: they are asked for again. */
export const draftOfRun = (
  subject: Subject,
  run: { parameters: Values; environmentOverrides: Values },
): Draft => ({
  ...subject.initial,
  ...withoutSecretsOf(subject, {
    pages: distribute(subject.pages, run.parameters),
    overrides: overridesOf(run.environmentOverrides),
    environment: subject.initial.environment,
  }),
});

export const withoutSecretsOf = ({ pages }: Subject, draft: Draft, replacement?: string): Draft => {
  const all = pages.flatMap(({ secrets }) => secrets);
  return {
    ...draft,
    pages: draft.pages.map((values, index) =>
      withoutSecrets(values, pages[index]?.secrets ?? [], replacement),
    ),
    overrides: Object.fromEntries(
      Object.entries(draft.overrides).map(([name, own]) => [name, withoutSecrets(own, all, replacement)]),
    ),
  };
};

/** All ordinary values together, as the server takes them. */
export const valuesOf = (draft: Draft): Values => Object.assign({}, ...draft.pages) as Values;

type Request = BuilderComponents["schemas"]["InstantiationRequest"];

export const requestOf = (subject: Subject, draft: Draft): Request => {
  const values = valuesOf(draft);
  const { templateRef, entityRef, revision, known } = subject;
  const overrides = Object.fromEntries(
    Object.entries(draft.overrides).filter(([, own]) => Object.keys(own).length > 0),
  );
  const own = { ...(Object.keys(overrides).length > 0 && { environmentOverrides: overrides }) };
  if (entityRef === null || revision === null) return { templateRef, values, ...own };
  // Fields that are left out stay: what was emptied is taken away by null.
  const emptied = Object.keys(known).filter((name) => values[name] === undefined);
  return {
    templateRef,
    entityRef,
    revision,
    values: { ...values, ...Object.fromEntries(emptied.map((name) => [name, null])) },
    ...(draft.environment !== null && { environment: draft.environment }),
    ...own,
  };
};
