import { setTimeout as wait } from "node:timers/promises";
import { databaseFailure } from "../../platform/db/failures.ts";
import { Failure } from "../../platform/errors/failure.ts";
import { refOf, type Entity } from "../entity.ts";
import { registerLocation, type NewRegistration } from "../catalogue/lookup.ts";
import type { BuilderContext } from "../context.ts";
import { builderFailure } from "../errors.ts";
import { type Action, type ActionContext, requestContextOf } from "./action.ts";

const maxLoggedProblems = 10;
/** Attempts while the catalogue is already reading as many locations as it may at a time, or the database is away. */
const maxAttempts = 10;

export const catalogRegister: Action = {
  id: "catalog:register",
  description:
    "Registers the entities of a catalog-info.yaml. One that is registered already is read again, so that a repeated step does no harm.",
  supportsDryRun: false,
  input: {
    type: "object",
    properties: {
      catalogInfoUrl: { type: "string", maxLength: 2_000, description: "Address of the file." },
      repoContentsUrl: {
        type: "string",
        maxLength: 2_000,
        description: "Instead of it: address of the folder that the file is in, as publish steps put it out.",
      },
      catalogInfoPath: {
        type: "string",
        maxLength: 500,
        description: "Path of the file in that folder; `/catalog-info.yaml` unless given.",
      },
      optional: { type: "boolean", default: false, description: "Whether the file may be missing for now." },
    },
    anyOf: [{ required: ["catalogInfoUrl"] }, { required: ["repoContentsUrl"] }],
  },
  output: {
    type: "object",
    properties: {
      entityRef: { type: "string", description: "Of the first Component, else of the first entity." },
      catalogInfoUrl: { type: "string" },
    },
  },
  async run(ctx) {
    const { input, say, output } = ctx;
    const given = input as Record<string, string | undefined>;
    const target =
      given["catalogInfoUrl"] ??
      fileIn(given["repoContentsUrl"] ?? "", given["catalogInfoPath"] ?? "catalog-info.yaml");
    say(`Registering ${target}`);
    const optional = input["optional"] === true;
    const entities = await readLocationNow(ctx, { type: "url", target, optional });
    output("catalogInfoUrl", target);
    const entity = mainEntity(entities);
    if (entity === undefined) say("Nothing is registered from it yet.", "WARNING");
    else output("entityRef", refOf(entity));
  },
};

/**
 * Reads a location into the catalogue as the user who started the instantiation; retries while the catalogue
 * is busy or the database is away, since a location that is registered already is only read again. Entities that could not be read are logged.
 */
export async function readLocationNow(ctx: ActionContext, wanted: NewRegistration): Promise<Entity[]> {
  const { entities, location } = await retryWhileBusy(ctx, () =>
    registerLocation(catalogueContext(ctx), wanted),
  );
  for (const { where, message } of location.problems.slice(0, maxLoggedProblems)) {
    ctx.say(`${where}: ${message}`, "WARNING");
  }
  return entities;
}

/** The address of a file in a folder; Azure DevOps has the path in the query. */
export function fileIn(folder: string, path: string): string {
  const file = path.replace(/^(?:\.?\/)+/, "");
  const url = URL.parse(folder);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw builderFailure("BUILDER_ACTION_INPUT", { message: "`repoContentsUrl` is not an http(s) address." });
  }
  if (/\/_git\/[^/]+$/.test(url.pathname)) {
    const base = (url.searchParams.get("path") ?? "").replace(/^\/+|\/+$/g, "");
    url.searchParams.set("path", `/${base === "" ? "" : `${base}/`}${file}`);
    return url.href;
  }
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${file.split("/").map(encodeURIComponent).join("/")}`;
  return url.href;
}

const mainEntity = (entities: readonly Entity[]): Entity | undefined => {
  const own = entities.filter(({ metadata }) => !metadata.name.startsWith("generated-"));
  return own.find(({ kind }) => kind.toLowerCase() === "component") ?? own[0] ?? entities[0];
};

const catalogueContext = (ctx: ActionContext): BuilderContext => ({
  builder: ctx.deps,
  ...requestContextOf(ctx),
});

async function retryWhileBusy<T>({ signal }: ActionContext, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const failure = error instanceof Failure ? error : databaseFailure(error);
      if (failure?.kind !== "unavailable" || attempt >= maxAttempts) throw failure ?? error;
      await wait((failure.retryAfterSeconds ?? 1) * 1_000, undefined, { signal });
    }
  }
}
