/** Forms that change an entity: lists them, and opens one with the current values of the entity. */
import type { Static } from "typebox";
import { isOperator } from "../../../platform/auth/policy.ts";
import { type Entity, normalRef, refOf } from "../../entity.ts";
import { findEntity } from "../../catalogue/lookup.ts";
import { refsOf } from "../../approvals/people.ts";
import type { BuilderContext } from "../../context.ts";
import type { YamlMap } from "../../catalogue/entities/yaml.ts";
import { builderFailure } from "../../errors.ts";
import type { TemplateLoader } from "../../templates/load-template.ts";
import type { JsonSchema } from "../../templates/json-schema.ts";
import { placeOf, withEditable, type EntityPlace, type KnownValues } from "./editable.ts";
import {
  fieldsOf,
  type EntityTemplate,
  asCreationTemplate,
  readPages,
  type EntityPages,
} from "../../templates/entity-template.ts";
import { findTemplateFor, findTemplatesFor } from "./find-templates.ts";
import type { entityForm, formList } from "./schema.ts";
import type { Problem } from "../../../platform/errors/failure.ts";
import type { Template } from "../../templates/template.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

/** Throws a Failure 404 for an entity that the catalogue does not have. */
export async function findEntityToEdit(ctx: BuilderContext, ref: string): Promise<Entity> {
  const normal = normalRef(ref);
  const entity = normal === null ? null : await findEntity(ctx.builder.database.db, normal);
  if (entity !== null) return entity;
  throw builderFailure("BUILDER_ENTITY_NOT_FOUND", {
    message: `There is no entity ${ref.slice(0, 200)}.`,
    problems: [{ where: "entityRef", message: "It must be the reference of an entity of the catalogue." }],
  });
}

export async function listForms(ctx: BuilderContext, entityRef: string): Promise<Static<typeof formList>> {
  const entity = await findEntityToEdit(ctx, entityRef);
  const templates = await findTemplatesFor(ctx.builder.database.db, entity);
  return {
    data: templates.map((template) => ({
      templateRef: refOf(template.entity),
      kind: template.kind,
      ...headOf(template),
    })),
  };
}

const headOf = ({ entity: { metadata } }: EntityTemplate): { title: string; description?: string } => ({
  title: metadata.title ?? metadata.name,
  ...(typeof metadata.description === "string" ? { description: metadata.description } : {}),
});

/** A form for an entity, with the current values of its fields. */
export interface OpenForm {
  entity: Entity;
  form: LoadedForm;
  place: EntityPlace;
  /** Commit from which the values were read. */
  revision: string;
  known: KnownValues;
  isSkeleton: boolean;
}

export async function openForm(
  ctx: BuilderContext,
  templates: TemplateLoader,
  { entityRef, templateRef }: { entityRef: string; templateRef: string },
): Promise<OpenForm> {
  const { builder, signal, now } = ctx;
  const entity = await findEntityToEdit(ctx, entityRef);
  const template = await findTemplateFor(builder.database.db, entity, templateRef);
  if (template === null) {
    throw builderFailure("BUILDER_UNKNOWN_TEMPLATE", {
      message: `The catalogue has no edit or reverse provisioning template ${templateRef.slice(0, 200)} for ${refOf(entity)}.`,
    });
  }
  const form = await loadForm(templates, template);
  const place = placeOf(builder, entity);
  const read = await withEditable(place, { deps: builder, signal, now }, async (files, open) => ({
    revision: open.head,
    known: files.known,
    isSkeleton: files.isSkeleton,
  }));
  return { entity, form, place, ...read };
}

export async function getForm(
  ctx: BuilderContext,
  templates: TemplateLoader,
  query: { entityRef: string; templateRef: string },
): Promise<Static<typeof entityForm>> {
  const { entity, form, revision, known } = await openForm(ctx, templates, query);
  const { template, pages } = form;
  const { title, description } = headOf(template);
  const { environments } = ctx.builder.settings;
  return {
    templateRef: refOf(template.entity),
    kind: template.kind,
    title,
    ...(description === undefined ? {} : { description }),
    entityRef: refOf(entity),
    revision,
    steps: pages.map(({ schema, isByEnvironment }) => ({
      title: textOr(schema["title"], title),
      ...(typeof schema["description"] === "string" ? { description: schema["description"] } : {}),
      schema,
      environmentParameters: isByEnvironment,
    })),
    values: prefill(form, known),
    environmentOverrides:
      form.byEnvironment === null
        ? {}
        : Object.fromEntries(environments.map((name) => [name, prefillEnvironment(form, known, name)])),
    environments: [...environments],
  };
}

const textOr = (value: unknown, otherwise: string): string =>
  typeof value === "string" && value !== "" ? value : otherwise;

/** The current values of the fields that are filled in once. Reverse provisioning has other fields. */
export const prefill = ({ template, ordinary }: LoadedForm, known: KnownValues): YamlMap =>
  template.kind === "edit" ? pick(ordinary.pages, known.parameters) : {};

export const prefillEnvironment = (
  { template, byEnvironment }: LoadedForm,
  known: KnownValues,
  environment: string,
): YamlMap =>
  template.kind === "edit" ? pick(byEnvironment?.pages ?? [], known.environments[environment] ?? {}) : {};

const pick = (pages: readonly JsonSchema[], values: YamlMap): YamlMap => {
  const names = new Set(pages.flatMap(fieldsOf).map(({ name }) => name));
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
};

interface LoadedForm {
  template: EntityTemplate;
  pages: EntityPages["pages"];
  /** The template with the pages that are filled in once, and with its steps. */
  ordinary: Template;
  /** The template with the pages that are filled in for each environment; null when there are none. */
  byEnvironment: Template | null;
}

/** Throws a Failure that lists all problems of the template. */
async function loadForm(templates: TemplateLoader, template: EntityTemplate): Promise<LoadedForm> {
  const { entity } = template;
  const { name } = entity.metadata;
  const { pages, problems } = readPages(template);
  if (problems.length > 0) throw unsound(entity.metadata.name, problems);
  const schemas = (isByEnvironment: boolean) =>
    pages.filter((page) => page.isByEnvironment === isByEnvironment).map(({ schema }) => schema);
  const environmentSchemas = schemas(true);
  const ordinary = await templates.load(asCreationTemplate(template, name, schemas(false)));
  // Entity names contain no slash, so this reference cannot collide with another.
  const ofEnvironment = asCreationTemplate(template, `${name}/environment`, environmentSchemas);
  return {
    template,
    pages,
    ordinary,
    byEnvironment: environmentSchemas.length === 0 ? null : await templates.load(ofEnvironment),
  };
}

const unsound = (name: string, problems: Problem[]) =>
  builderFailure("BUILDER_INVALID_TEMPLATE", {
    message: `The template ${name} can't be used; ${problems.length} places in it need a correction.`,
    problems,
  });

/**
 * Only owners and operators may change an entity, because the change is made with the credentials of the
 * platform.
 */
export async function requireOwnEntity(ctx: BuilderContext, entity: Entity): Promise<void> {
  if (isOperator(ctx.actor)) return;
  const mesh = entity.spec?.["mesh"];
  const named = [
    entity.spec?.["owner"],
    ...(isRecord(mesh)
      ? ["dataProductOwner", "devGroup", "developmentGroup", "ownerGroup"].map((key) => mesh[key])
      : []),
  ];
  const owners = named.flatMap((owner) => (typeof owner === "string" ? ownerRefs(owner) : []));
  const own = await refsOf(ctx);
  if (owners.some((ref) => own.includes(ref))) return;
  throw builderFailure("BUILDER_ENTITY_NOT_YOURS", {
    message: `Only its owner and operators may change ${refOf(entity)}.`,
  });
}

/** An owner without a kind is a group or a user. */
function ownerRefs(text: string): string[] {
  const [, kind, rest = ""] = /^(?:([^:/]+):)?(.+)$/s.exec(text.trim().toLowerCase()) ?? [];
  const name = rest.includes("/") ? rest : `default/${rest}`;
  return kind === undefined ? [`group:${name}`, `user:${name}`] : [`${kind}:${name}`];
}
