/** Checks the request of an edit or a reverse provisioning, and makes the plan of its task. */
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Failure, Problem } from "../../../platform/errors/failure.ts";
import type { Action } from "../../actions/action.ts";
import { refOf } from "../../entity.ts";
import { locationRef } from "../../catalogue/sources/target.ts";
import type { BuilderContext } from "../../context.ts";
import type { YamlMap } from "../../catalogue/entities/yaml.ts";
import { builderFailure } from "../../errors.ts";
import type { TemplateLoader } from "../../templates/load-template.ts";
import { splitSecrets, type CheckedRequest, type InstantiateRequest } from "../start.ts";
import { overrunReason } from "../../renderer.ts";
import type { Template, TemplatePlan } from "../../templates/template.ts";
import type { JsonSchema } from "../../templates/json-schema.ts";
import { editStep, reverseSteps } from "./edit-actions.ts";
import { notEditable } from "./editable.ts";
import { fieldsOf } from "../../templates/entity-template.ts";
import { findExpressions } from "./find-templates.ts";
import { openForm, prefill, prefillEnvironment, requireOwnEntity, type OpenForm } from "./service.ts";

export interface EditDeps {
  templates: TemplateLoader;
  actions: ReadonlyMap<string, Action>;
}

/** Throws a Failure with all problems of the request. */
export async function checkEdit(
  ctx: BuilderContext,
  deps: EditDeps,
  request: InstantiateRequest,
): Promise<CheckedRequest> {
  const { templateRef, entityRef, revision } = request;
  if (entityRef === undefined)
    throw refused([{ where: "/entityRef", message: "Name the entity that is to be changed." }]);
  const open = await openForm(ctx, deps.templates, { entityRef, templateRef });
  await requireOwnEntity(ctx, open.entity);
  if (revision !== undefined && revision !== open.revision)
    throw builderFailure("BUILDER_EDIT_CONFLICT", {
      message: `The form was filled from commit ${revision.slice(0, 12)} of ${refOf(open.entity)}, and its branch is at ${open.revision.slice(0, 12)} by now.`,
    });
  const { values, overrides, problems } = await checkFields(ctx, open, request);
  problems.push(...environmentProblems(ctx, open, request), ...secretProblems(open));
  if (problems.length > 0) throw refused(problems);
  requireQuietSteps(deps, open);
  const template = await planOf(ctx, open, request.environment ?? null);
  return splitSecrets(template, { values, overrides, named: request.secrets ?? {} });
}

const refused = (problems: Problem[]): Failure =>
  builderFailure("BUILDER_INVALID_INSTANTIATION", {
    message: `The values are not what the template takes: ${problems.length} need a correction.`,
    problems,
  });

interface Checked {
  values: Record<string, unknown>;
  overrides: Record<string, Record<string, unknown>>;
  problems: Problem[];
}

/** Fields that the request omits keep their current value. */
async function checkFields(
  ctx: BuilderContext,
  open: OpenForm,
  request: InstantiateRequest,
): Promise<Checked> {
  const { form, known } = open;
  const { environmentOverrides = {} } = request;
  const ordinary = await checkPages(ctx, form.ordinary, {
    known: prefill(form, known),
    given: request.values,
    secrets: request.secrets ?? {},
    where: "/values",
  });
  const checked: Checked = { values: ordinary.values, overrides: {}, problems: ordinary.problems };
  for (const [name, given] of Object.entries(environmentOverrides)) {
    const where = `/environmentOverrides/${name}`;
    if (form.byEnvironment === null || !ctx.builder.settings.environments.includes(name)) {
      const message =
        form.byEnvironment === null
          ? "The template asks nothing for each environment."
          : `The environment must be one of: ${ctx.builder.settings.environments.join(", ")}.`;
      checked.problems.push({ where, message });
      continue;
    }
    const own = prefillEnvironment(form, known, name);
    const page = await checkPages(ctx, form.byEnvironment, { known: own, given, secrets: {}, where });
    checked.overrides[name] = page.values;
    checked.problems.push(...page.problems);
  }
  return checked;
}

interface PageValues {
  known: YamlMap;
  given: Record<string, unknown>;
  secrets: Record<string, string>;
  /** Pointer to the values in the request. */
  where: string;
}

async function checkPages(
  ctx: BuilderContext,
  template: Template,
  { known, given, secrets, where }: PageValues,
): Promise<{ values: Record<string, unknown>; problems: Problem[] }> {
  const { renderer, settings } = ctx.builder;
  const removed = Object.keys(given).filter((name) => given[name] === null);
  const remaining = Object.entries({ ...known, ...given }).filter(([name]) => !removed.includes(name));
  const checked = await renderer.run("values", {
    key: template.hash,
    schemas: template.schemas,
    pages: template.pages,
    ...(template.secretsSchema === undefined ? {} : { secretsSchema: template.secretsSchema }),
    values: Object.fromEntries(remaining),
    secrets,
    overrides: {},
  });
  if ("overrun" in checked) {
    const reason = overrunReason(checked, settings.renderTimeoutMs);
    const message = `They could not be checked against the template: ${reason}.`;
    return { values: given, problems: [{ where, message }] };
  }
  const problems = checked.problems.map((problem) => ({
    ...problem,
    where: problem.where.replace(/^\/values(?=\/|$)/, where),
  }));
  // Null distinguishes a removed field from an omitted one.
  const gone = Object.fromEntries(removed.map((name) => [name, null]));
  return {
    values: { ...checked.values, ...gone },
    problems: [...problems, ...lockedProblems(template.pages, { known, given, secrets, where })],
  };
}

/** Read-only fields: a value in the request must equal the current one. */
const lockedProblems = (pages: readonly JsonSchema[], { known, given, where }: PageValues): Problem[] =>
  pages
    .flatMap(fieldsOf)
    .filter(
      ({ name, isLocked }) =>
        isLocked &&
        Object.hasOwn(given, name) &&
        Object.hasOwn(known, name) &&
        !isDeepStrictEqual(given[name], known[name]),
    )
    .map(({ name }) => ({
      where: `${where}/${name}`,
      message: "The field is shown only; it can't be changed.",
    }));

function environmentProblems(
  ctx: BuilderContext,
  { form }: OpenForm,
  { environment }: InstantiateRequest,
): Problem[] {
  const { environments } = ctx.builder.settings;
  const where = "/environment";
  if (form.template.kind === "edit")
    return environment === undefined
      ? []
      : [{ where, message: "An edit is for all environments; leave it out." }];
  if (environment !== undefined && environments.includes(environment)) return [];
  return [
    { where, message: `Name the environment that the adapter is asked about: ${environments.join(", ")}.` },
  ];
}

/** The coordinator stores the parameters with its plan in clear text. */
const secretProblems = ({ form }: OpenForm): Problem[] =>
  form.template.kind === "edit"
    ? []
    : form.ordinary.plan.secretFields.map((path) => ({
        where: `/values/${path.join("/")}`,
        message:
          "The field of the template is secret, and parameters of a reverse provisioning are stored by the coordinator.",
        solution: "Have the adapter take the secret from its own configuration.",
      }));

/** Steps of an edit template may only write workspace files: publishing is done by the platform. */
function requireQuietSteps({ actions }: EditDeps, { form }: OpenForm): void {
  const problems = form.ordinary.plan.steps.flatMap(({ id, action }, index) =>
    actions.get(action)?.staysInWorkspace === true
      ? []
      : [
          {
            where: `/spec/steps/${index}/action`,
            message: `Step "${id}" names ${action}; the steps of an edit template only write files, with fetch:template.`,
          },
        ],
  );
  if (problems.length === 0) return;
  throw builderFailure("BUILDER_INVALID_TEMPLATE", {
    message: `The template can't be used for an edit; ${problems.length} places in it need a correction.`,
    problems,
  });
}

/** The template with the steps of an edit: a separate plan for each entity and commit. */
async function planOf(ctx: BuilderContext, open: OpenForm, environment: string | null): Promise<Template> {
  const { form, place, entity, revision, isSkeleton } = open;
  const { ordinary, byEnvironment, template } = form;
  const isEdit = template.kind === "edit";
  if (isEdit && !isSkeleton && ordinary.plan.steps.length === 0)
    throw notEditable(
      `${place.ref} was rendered when it was made: its catalog-info.yaml is not a %SKELETON, and the edit template has no steps that would make it anew.`,
    );
  const plan: TemplatePlan = {
    ...ordinary.plan,
    steps: isEdit ? [...ordinary.plan.steps, editStep] : [...reverseSteps],
    output: outputs,
    secretFields: [...ordinary.plan.secretFields, ...(byEnvironment?.plan.secretFields ?? [])],
    edit: {
      kind: template.kind,
      entityRef: place.ref,
      location: locationRef(place.location),
      origin: locationRef(place.origin),
      base: revision,
      publishTo: ctx.builder.settings.git.edits,
      environment,
      expressions: await findExpressions(ctx.builder.database.db, entity),
    },
  };
  const planText = JSON.stringify(plan);
  const hash = createHash("sha256").update(planText).digest("hex");
  return { ...ordinary, plan, planText, hash };
}

const outputs = Object.fromEntries(
  [
    "entityRef",
    "changed",
    "remoteUrl",
    "branch",
    "targetBranch",
    "baseCommit",
    "commitHash",
    "changedFiles",
    "leftOut",
    "patch",
  ].map((name) => [name, `\${{ steps.entityEdit.output.${name} }}`]),
);
