/** Tools for templates and instantiations. */
import { Type } from "typebox";
import { searchEntities } from "./catalogue.ts";
import { offset, pageSize, readEntityRef, waitSeconds, textInput } from "./inputs.ts";
import { platformTool, urlPath, waitFor } from "./tool.ts";

const templateRef = textInput("Reference of the template: `template:namespace/name`.", 400);

export const searchTemplates = platformTool({
  name: "search_templates",
  title: "Search templates",
  description:
    "Finds the templates that new systems and components are made from, in short. Read one with get_template.",
  readOnly: true,
  input: Type.Object({
    text: Type.Optional(
      textInput("Part of the name, title, description or a tag. Leave out to list all.", 200),
    ),
    type: Type.Optional(textInput("Only templates with this `spec.type`.", 128)),
    limit: pageSize,
    offset,
  }),
  run: (caller, { text, type, limit, offset: from }) =>
    searchEntities(caller, {
      text,
      limit,
      offset: from,
      conditions: [
        "kind=template",
        ...(type === undefined ? [] : [`spec.type=${type.replaceAll(",", " ")}`]),
      ],
    }),
});

export const getTemplate = platformTool({
  name: "get_template",
  title: "Read a template",
  description:
    "Reads one template: what it is, the steps that it runs, and its parameters as JSON Schema, page by page of its form.",
  readOnly: true,
  input: Type.Object({ templateRef }),
  async run(caller, input) {
    const { kind, namespace, name } = readEntityRef(input.templateRef, "template");
    const { value } = await caller.get(urlPath`/api/catalog/entities/by-name/${kind}/${namespace}/${name}`);
    const form = await caller.get(
      urlPath`/api/scaffolder/v2/templates/${namespace}/${kind}/${name}/parameter-schema`,
    );
    const { metadata, spec } = value;
    return {
      ref: `${value.kind}:${metadata.namespace ?? "default"}/${metadata.name}`.toLowerCase(),
      title: metadata.title,
      description: metadata.description,
      tags: metadata.tags,
      type: spec?.type,
      owner: spec?.owner,
      steps: (spec?.steps as any[] | undefined)?.map(({ id, name: label, action }) => ({
        id,
        name: label,
        action,
      })),
      parameters: form.value.steps,
    };
  },
});

const values = Type.Object({}, { additionalProperties: true });

export const instantiateTemplate = platformTool({
  name: "instantiate_template",
  title: "Start from a template",
  description:
    "Runs a template with these values: it may make repositories and entities. Answers the id of the task; follow it " +
    "with get_instantiation. Secrets do not belong into values. Within one request, the same start is made once.",
  readOnly: false,
  needs: "instantiateTemplate",
  input: Type.Object({
    templateRef,
    values: Type.Object({}, { additionalProperties: true, description: "A value for each parameter." }),
    environmentOverrides: Type.Optional(
      Type.Record(Type.String(), values, { description: "Values that differ by environment." }),
    ),
  }),
  async run(caller, body) {
    const headers = { "idempotency-key": caller.repeatKey(body) };
    const { value } = await caller.post("/api/builder/templates/instantiate", { body, headers });
    return { taskId: value.id as string, next: "Follow it with get_instantiation until it has ended." };
  },
});

export const getInstantiation = platformTool({
  name: "get_instantiation",
  title: "Follow a task of a template",
  description:
    "Says how far the task of a template is: its status (open, processing, completed, failed, cancelled), each step with " +
    "its error, the output, and what it waits for.",
  readOnly: true,
  input: Type.Object({
    taskId: textInput("Id of the task, as instantiate_template gave it.", 128),
    waitSeconds,
  }),
  run: (caller, { taskId, waitSeconds: seconds }) =>
    waitFor(caller, {
      seconds,
      isFinal: ({ status }) => ["completed", "failed", "cancelled"].includes(status),
      ask: async () => (await caller.get(urlPath`/api/builder/templates/tasks/${taskId}`)).value,
    }),
});
