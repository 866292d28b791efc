import { normalRef } from "../../catalogue/entity-ref.ts";
import type { Entity } from "../../catalogue/entity.ts";
import { findEntity } from "../../catalogue/service.ts";
import { builderFailure } from "../../errors.ts";
import type { Action, ActionContext } from "../action.ts";

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
  const entity = await findEntity(deps.database.kysely, normal);
  if (entity === null && !optional) throw refuse(`The catalogue has no ${normal}.`);
  return entity;
}

const refuse = (message: string) => builderFailure("BUILDER_ACTION_INPUT", { message });
