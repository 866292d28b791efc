import { Type } from "typebox";
import type { Area } from "../platform/http/operation.ts";
import { addAccessRequestRoutes } from "./approvals/access-requests/routes.ts";
import type { Action } from "./actions/action.ts";
import type { Entity } from "./entity.ts";
import type { BuilderExtra, BuilderDeps } from "./context.ts";
import { defaultArchiveLimits, type ArchiveLimits } from "./descriptors/archive-limits.ts";
import { addLocationRoutes } from "./catalogue/locations/routes.ts";
import { addEntityRoutes, catalogueBase } from "./catalogue/routes.ts";
import { addDescriptorRoutes } from "./descriptors/routes.ts";
import { addEditRoutes } from "./instantiations/edits/routes.ts";
import { checkEdit } from "./instantiations/edits/start-edit.ts";
import { toBody } from "./errors.ts";
import type { ActionHandlers } from "./approvals/handlers.ts";
import { addHookRoutes } from "./approvals/routes.ts";
import type {
  AccessCoordinator,
  ReadPlanDiff,
  CheckUrl,
  ListDeployedUnits,
  ProbeUrl,
  ReadTaxonomy,
  TechAdapterCatalogue,
} from "./ports.ts";
import { addPageRoutes, marketplaceBase } from "./pages/routes.ts";
import { addRepositoryRoutes, repositoriesBase } from "./git/routes.ts";
import type { DryRunDeps } from "./instantiations/dry-run.ts";
import { createTemplateLoader } from "./templates/load-template.ts";
import { addInstantiationRoutes } from "./instantiations/routes.ts";
import { createStoredPlans } from "./instantiations/start.ts";
import { addScaffolderRoutes, scaffolderBase } from "./instantiations/scaffolder-routes.ts";
import { addTechAdapterRoutes } from "./catalogue/adapter-routes.ts";
import type { Renderer } from "./renderer.ts";

export type { TechAdapterCatalogue } from "./ports.ts";
export { createProbe } from "./catalogue/adapter-service.ts";

export interface BuilderAreaOptions {
  deps: BuilderDeps;
  /** The actions of template steps, by name. */
  actions: ReadonlyMap<string, Action>;
  /** Reads from the catalogue. */
  findEntity: (ref: string) => Promise<Entity | null>;
  /** Names of `mesh.builder.environments`. */
  environments: readonly string[];
  /** `mesh.builder.namespace`. */
  namespace: string;
  /** `mesh.builder.archive`, its limits and `renderTimeoutMs`. */
  archive?: Partial<ArchiveLimits> & { renderTimeoutMs?: number };
  /** The coordinator's service. */
  catalogue: TechAdapterCatalogue;
  /** The coordinator's service. */
  access: AccessCoordinator;
  readPlanDiff: ReadPlanDiff;
  /** The coordinator's service. */
  deployedUnits: ListDeployedUnits;
  /** Called when an action that hooks are bound to ends. */
  actionHandlers: ActionHandlers;
  /** `outbound.check`. */
  checkUrl: CheckUrl;
  /** `createProbe(outbound)`. */
  probeUrl: ProbeUrl;
  /** Started by the caller with the same `renderTimeoutMs`, and closed by it. */
  renderer: Renderer;
  /** Reads from the catalogue. */
  readTaxonomy?: ReadTaxonomy;
}

const problemSchema = Type.Object({
  where: Type.String({
    description: "JSON pointer into the input, or a file in the archive with line and column.",
  }),
  message: Type.String(),
  solution: Type.Optional(Type.String()),
});

const errorSchema = Type.Object({
  error: Type.Object({
    name: Type.String(),
    message: Type.String(),
    code: Type.String(),
    problems: Type.Optional(Type.Array(problemSchema)),
  }),
  request: Type.Object({ method: Type.String(), url: Type.String() }),
  response: Type.Object({ statusCode: Type.Integer() }),
});

/** The builder's HTTP interface. */
export const builderArea = (options: BuilderAreaOptions): Area<BuilderExtra> => {
  const { renderTimeoutMs = 1_000, ...limits } = options.archive ?? {};
  return {
    name: "builder",
    prefix: "/api/builder",
    aliases: [repositoriesBase, catalogueBase, scaffolderBase, marketplaceBase],
    title: "Builder",
    version: "0.1.0",
    description:
      "Registers tech adapters, instantiates templates, and builds descriptors from archives of entities.",
    errorSchema,
    extra: { builder: options.deps },
    async register(app) {
      addTechAdapterRoutes(app, options);
      addHookRoutes(app, options.actionHandlers, options.readPlanDiff);
      addAccessRequestRoutes(app, options.access);
      addRepositoryRoutes(app);
      addPageRoutes(app, options.deployedUnits);
      addEntityRoutes(app);
      addLocationRoutes(app);
      const { actions, findEntity, renderer } = options;
      const templates = createTemplateLoader({ renderer, renderTimeoutMs, actions });
      const instantiating: DryRunDeps = {
        actions,
        findEntity,
        templates,
        storedPlans: createStoredPlans(),
        checkEdit: (ctx, request) => checkEdit(ctx, { templates, actions }, request),
      };
      addInstantiationRoutes(app, instantiating);
      addEditRoutes(app, templates);
      addScaffolderRoutes(app, instantiating);
      await addDescriptorRoutes(app, {
        environments: options.environments,
        namespace: options.namespace,
        limits: { ...defaultArchiveLimits, ...limits },
        renderTimeoutMs,
        renderer: options.renderer,
        ...(options.readTaxonomy === undefined ? {} : { readTaxonomy: options.readTaxonomy }),
      });
    },
    toBody,
  };
};
