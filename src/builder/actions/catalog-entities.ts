import { dump } from "js-yaml";
import { normalRef, type Entity } from "../entity.ts";
import { findEntity } from "../catalogue/lookup.ts";
import { builderFailure } from "../errors.ts";
import type { Action, ActionContext } from "./action.ts";
import { segmentsOf } from "../git/tree.ts";

const maxRefs = 100;

interface Input {
  entityRef?: string;
  entityRefs?: string[];
  optional?: boolean;
  defaultKind?: string;
  defaultNamespace?: string;
}

export const catalogFetch: Action = {
  id: "catalog:fetch",
  description: "Reads entities of the catalogue by their references.",
  supportsDryRun: true,
  input: {
    type: "object",
    properties: {
      entityRef: { type: "string", description: "Reference of one entity, `kind:namespace/name`." },
      entityRefs: {
        type: "array",
        maxItems: maxRefs,
        items: { type: "string" },
        description: "References of several.",
      },
      optional: {
        type: "boolean",
        default: false,
        description: "Whether one may be missing; it is null then.",
      },
      defaultKind: { type: "string", description: "Kind where a reference has none." },
      defaultNamespace: { type: "string", description: "Namespace where a reference has none." },
    },
  },
  output: {
    type: "object",
    properties: {
      entity: { type: ["object", "null"], description: "For `entityRef`." },
      entities: {
        type: "array",
        items: { type: ["object", "null"] },
        description: "For `entityRefs`, in their order.",
      },
    },
  },
  async run(ctx) {
    const { entityRef, entityRefs, optional = false } = ctx.input as Input;
    if (entityRef === undefined && entityRefs === undefined && !optional)
      throw refuse("Neither `entityRef` nor `entityRefs` is given.");
    if (entityRef !== undefined) ctx.output("entity", await find(entityRef, ctx));
    if (entityRefs === undefined) return;
    const entities: (Entity | null)[] = [];
    for (const ref of entityRefs) entities.push(await find(ref, ctx));
    ctx.output("entities", entities);
  },
};

async function find(ref: string, { input, deps }: ActionContext): Promise<Entity | null> {
  const { optional = false, defaultKind, defaultNamespace } = input as Input;
  const normal = normalRef(ref, {
    ...(defaultKind === undefined ? {} : { kind: defaultKind }),
    ...(defaultNamespace === undefined ? {} : { namespace: defaultNamespace }),
  });
  if (normal === null) throw refuse(`"${ref.slice(0, 200)}" is not a reference of an entity.`);
  const entity = await findEntity(deps.database.db, normal);
  if (entity === null && !optional) throw refuse(`The catalogue has no ${normal}.`);
  return entity;
}

const refuse = (message: string) => builderFailure("BUILDER_ACTION_INPUT", { message });

const maxBytes = 1024 * 1024;

export const catalogWrite: Action = {
  id: "catalog:write",
  description: "Writes an entity into a catalog-info.yaml of the workspace.",
  supportsDryRun: true,
  staysInWorkspace: true,
  input: {
    type: "object",
    required: ["entity"],
    properties: {
      filePath: { type: "string", minLength: 1, description: "`catalog-info.yaml` unless given." },
      entity: { type: "object", description: "The entity as it is written." },
    },
  },
  async run({ input, workspace, template, signal, say }) {
    const { filePath = "catalog-info.yaml", entity } = input as { filePath?: string; entity: WrittenEntity };
    if (segmentsOf(filePath).length === 0)
      throw builderFailure("BUILDER_ACTION_INPUT", { message: "`filePath` names no file." });
    const annotations = {
      ...entity.metadata?.annotations,
      "backstage.io/source-template": template.entityRef,
    };
    const text = dump(
      { ...entity, metadata: { ...entity.metadata, annotations } },
      { noRefs: true, lineWidth: -1 },
    );
    if (Buffer.byteLength(text) > maxBytes)
      throw builderFailure("BUILDER_ACTION_INPUT", {
        message: `The entity has more than ${maxBytes} bytes.`,
      });
    const file = { path: filePath, content: Buffer.from(text), isExecutable: false };
    const options = { targetPath: "", replace: true, signal };
    await workspace.write({ files: [file], folders: [] }, options);
    say(`Wrote ${filePath}.`);
  },
};

interface WrittenEntity extends Record<string, unknown> {
  metadata?: { annotations?: Record<string, unknown> };
}
