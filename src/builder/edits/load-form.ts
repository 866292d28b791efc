/** An edit or reverse provisioning template with its pages read and checked, as creation templates are. */
import type { Problem } from "../../platform/errors/failure.ts";
import { builderFailure } from "../errors.ts";
import type { TemplateLoader } from "../instantiations/load-template.ts";
import type { Template } from "../templates/template.ts";
import { asCreationTemplate, readPages, type EntityPages, type EntityTemplate } from "./entity-template.ts";

export interface LoadedForm {
  template: EntityTemplate;
  pages: EntityPages["pages"];
  /** With the pages that are filled in once, and with the template's steps. */
  ordinary: Template;
  /** With the pages that are filled in for each environment; null when there are none. */
  byEnvironment: Template | null;
}

/** Throws a Failure that lists all problems of the template. */
export async function loadForm(templates: TemplateLoader, template: EntityTemplate): Promise<LoadedForm> {
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
