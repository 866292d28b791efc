import type { Area } from "../platform/http/operation.ts";
import { builderArea, type BuilderAreaOptions } from "./area.ts";
import type { Renderer } from "./renderer.ts";

/** Shared by the route tests of the builder. */

/** The builder with ports that accept everything unless overridden. */
export const testBuilder = (renderer: Renderer, options: Partial<BuilderAreaOptions> = {}): Area =>
  builderArea({
    // Its routes are only called for operations that need no database.
    deps: Object.create(null),
    actions: new Map(),
    findEntity: async () => null,
    environments: ["development", "production"],
    namespace: "dmb",
    catalogue: { register: async () => {} },
    access: Object.create(null),
    readPlanDiff: async () => null,
    deployedUnits: { list: async () => ({ units: [], next: null }) },
    actionHandlers: Object.create(null),
    checkUrl: (url) =>
      url.includes("169.254") ? { where: "url", message: "The address is refused." } : null,
    probeUrl: async () => true,
    renderer,
    ...options,
  });

export interface BuilderAnswer {
  status: number;
  body: {
    descriptor?: Record<string, unknown>;
    error: { name: string; code: string; message: string; problems?: { where: string; message: string }[] };
    request: unknown;
    response: unknown;
  };
  headers: Headers;
}

export const answerOf = async (response: Response): Promise<BuilderAnswer> => {
  const body: BuilderAnswer["body"] = JSON.parse(await response.text());
  return { status: response.status, body, headers: response.headers };
};

export const problemsOf = ({ body }: BuilderAnswer): string[] =>
  (body.error.problems ?? []).map((problem) => problem.where);
