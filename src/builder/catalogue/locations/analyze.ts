/** Previews what registering an address would find; nothing is written. */
import type { BuilderContext } from "../../context.ts";
import { hostKindOf } from "../../git/integrations.ts";
import { publicHosts, type HostKind } from "../../git/source-url.ts";
import type { Entity } from "../../entity.ts";
import { readEntityTexts } from "../store.ts";
import { locationRef, parseLocationRef, type LocationTarget } from "../sources/target.ts";
import type { LoadedEntity } from "../sources/read-entities.ts";
import { readWithinLimit } from "./service.ts";
import { listRegistered } from "./store.ts";

export interface AnalyzeRequest {
  location: LocationTarget;
  /** Only files with this name are considered. */
  catalogFileName?: string;
}

export interface Analysis {
  existingEntityFiles: { location: LocationTarget; isRegistered: boolean; entity: Entity }[];
  generateEntities: { entity: object; fields: unknown[] }[];
}

/**
 * The entities found there, or else a proposed entity for the repository. Rejects when nothing can be read.
 */
export async function analyzeLocation(ctx: BuilderContext, request: AnalyzeRequest): Promise<Analysis> {
  const { location, catalogFileName } = request;
  const { entities } = await readWithinLimit(ctx, location);
  const found = entities.filter(
    ({ managedBy }) => catalogFileName === undefined || managedBy.endsWith(`/${catalogFileName}`),
  );
  if (found.length === 0) {
    const entity = suggestedEntity(location.target, (host) =>
      hostKindOf(ctx.builder.settings.integrations, host),
    );
    return { existingEntityFiles: [], generateEntities: [{ entity, fields: [] }] };
  }
  const isRegistered = await registeredAmong(ctx, location, found);
  return {
    existingEntityFiles: found.map((loaded) => ({
      location: parseLocationRef(loaded.managedBy) ?? location,
      isRegistered: isRegistered(loaded),
      entity: loaded.entity,
    })),
    generateEntities: [],
  };
}

/** By location, by file, or because the catalogue already has the entity from another location. */
async function registeredAmong(
  ctx: BuilderContext,
  location: LocationTarget,
  found: readonly LoadedEntity[],
): Promise<(loaded: LoadedEntity) => boolean> {
  const db = ctx.builder.database.db;
  const own = locationRef(location);
  const locations = await listRegistered(db, [own, ...found.map(({ managedBy }) => managedBy)]);
  const known = await readEntityTexts(db, { refs: found.map(({ ref }) => ref), filter: [], predicate: null });
  return ({ ref, managedBy }) => locations.has(own) || locations.has(managedBy) || known.has(ref);
}

/** The annotation that names the project of an entity, by kind of host. */
const annotationHosts: Record<Exclude<HostKind, "git">, string> = {
  github: "github.com",
  gitlab: "gitlab.com",
  azure: "dev.azure.com",
  bitbucket: "bitbucket.org",
  gitea: "gitea.com",
};

export function suggestedEntity(target: string, hostKind: (host: string) => HostKind | null): object {
  const url = URL.parse(target);
  const segments = (url?.pathname ?? target).split("/").filter((segment) => segment !== "");
  const [owner = "", last = owner] = segments;
  const project = last.replace(/\.git$/, "");
  const plain = project.replaceAll(/[^A-Za-z0-9._-]+/g, "-");
  const [name = ""] = /[A-Za-z0-9](?:.*[A-Za-z0-9])?/.exec(plain) ?? [];
  const kind = url === null ? null : (hostKind(url.host) ?? publicHosts.get(url.host) ?? null);
  const annotations =
    kind === null || kind === "git" || segments.length < 2
      ? {}
      : { annotations: { [`${annotationHosts[kind]}/project-slug`]: `${owner}/${project}` } };
  return {
    apiVersion: "backstage.io/v1alpha1",
    kind: "Component",
    metadata: { name: name === "" ? "unnamed" : name.slice(0, 63), ...annotations },
    spec: { type: "other", lifecycle: "unknown" },
  };
}
