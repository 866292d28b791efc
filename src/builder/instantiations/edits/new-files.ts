/** Computes the new contents of an entity's files from the requested changes. */
import { isDeepStrictEqual } from "node:util";
import { Failure, type Problem } from "../../../platform/errors/failure.ts";
import { mergeConfiguration } from "../../descriptors/entities/merge.ts";
import { showValue, type YamlMap, type YamlValue } from "../../catalogue/entities/yaml.ts";
import { builderFailure } from "../../errors.ts";
import type { FileChange } from "../../git/change-branch.ts";
import type { Json } from "../../templates/engine/template-value.ts";
import type { Renderer } from "../../renderer.ts";
import { applyUpdates, changeSection, readUpdates, type Updates, patchYaml } from "./change-values.ts";
import { legacyParameters, type EditableFiles, readOne, type ReadDeps } from "./editable.ts";
import { followValues } from "./follow-values.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

export interface WantedChange {
  /** New parameters by name; null removes one, and parameters that are not named stay. */
  parameters: YamlMap;
  environments: Record<string, YamlMap>;
  /** The response of an adapter. */
  updates: Record<string, unknown>;
  /** Changes of the entity itself by the steps of the template. */
  entity: YamlMap | null;
  /** See follow-values.ts. */
  expressions: Record<string, Json> | null;
}

export interface NewFiles {
  files: FileChange[];
  /** Updates of an adapter that cannot be written to the files. */
  leftOut: string[];
}

export async function makeNewFiles(
  renderer: Pick<Renderer, "run">,
  files: EditableFiles,
  wanted: WantedChange,
): Promise<NewFiles> {
  const updates = readUpdates(wanted.updates);
  refuseProblems(updates);
  const document = await changeParameters(renderer, files, { ...wanted, of: updates });
  refuseProblems(updates);
  const changes: FileChange[] = [];
  const { known, parameters, catalogInfo } = files;
  if (!isDeepStrictEqual(document, known.document)) {
    const { bytes, path } = parameters;
    const text = patchYaml(bytes?.toString("utf8") ?? "", bytes === null ? null : known.document, document);
    changes.push({ path, content: Buffer.from(text) });
  }
  if (files.document === null)
    return { files: changes, leftOut: updates.entity.map(({ path }) => path.join(".")) };
  const entity = changeEntity(files.document, wanted, updates);
  refuseProblems(updates);
  if (!isDeepStrictEqual(entity, files.document)) {
    const text = patchYaml(catalogInfo.bytes.toString("utf8"), files.document, entity);
    changes.push({ path: catalogInfo.path, content: Buffer.from(text) });
  }
  return { files: changes, leftOut: [] };
}

function refuseProblems({ problems }: Updates): void {
  if (problems.length === 0) return;
  throw builderFailure("BUILDER_EDIT_REFUSED", {
    message: `The adapter answered updates that can't be applied. ${problems.join(" ")}`,
  });
}

async function changeParameters(
  renderer: Pick<Renderer, "run">,
  { known, isSkeleton }: EditableFiles,
  { parameters, environments, expressions, of }: WantedChange & { of: Updates },
): Promise<YamlMap> {
  const { document } = known;
  const updatesOf = (...path: string[]) =>
    of.parameters.flatMap((update) =>
      path.every((name, index) => update.path[index] === name)
        ? [{ ...update, path: update.path.slice(path.length) }]
        : [],
    );
  const updated = (values: YamlMap, ...path: string[]): YamlMap =>
    applyUpdates(values, updatesOf(...path), { problems: of.problems, section: path });
  const given = { ...updated(known.parameters, "parameters"), ...parameters };
  // An entity that was rendered at its creation does not use the values any more.
  const usesValues = isSkeleton || Object.keys(known.values).length > 0;
  const followed = !usesValues
    ? {}
    : await followValues(renderer, {
        expressions,
        before: known.parameters,
        after: withoutNulls({ ...known.parameters, ...given }),
        stored: known.values,
      });
  const values = { ...updated(known.values, "values"), ...followed };
  const changed: YamlMap = {
    ...document,
    parameters: changeSection({ own: document["parameters"], known: known.parameters, given }),
    values: changeSection({ own: document["values"], known: known.values, given: values }),
    readonly: updated(mapOf(document["readonly"]), "readonly"),
    environmentParameters: changeEnvironments(known, environments, { of, updated }),
  };
  // Empty sections that did not exist before are not added.
  return Object.fromEntries(
    Object.entries(changed).filter(
      ([key, value]) => Object.hasOwn(document, key) || !isRecord(value) || Object.keys(value).length > 0,
    ),
  );
}

function changeEnvironments(
  known: EditableFiles["known"],
  environments: Record<string, YamlMap>,
  { of, updated }: { of: Updates; updated: (values: YamlMap, ...path: string[]) => YamlMap },
): YamlMap {
  const section = mapOf(known.document["environmentParameters"]);
  const named = of.parameters.flatMap(({ path: [first, name] }) =>
    first === "environmentParameters" && name !== undefined ? [name] : [],
  );
  for (const name of new Set([...Object.keys(environments), ...named])) {
    const own = known.environments[name] ?? {};
    const given = { ...updated(own, "environmentParameters", name), ...environments[name] };
    const changed = changeSection({ own: section[name], known: own, given });
    if (Object.keys(changed).length > 0 || Object.hasOwn(section, name)) section[name] = changed;
  }
  return section;
}

function changeEntity(
  document: YamlMap,
  { entity, parameters }: Pick<WantedChange, "entity" | "parameters">,
  { entity: updates, parameters: own, problems }: Updates,
): YamlMap {
  const { apiVersion, kind, metadata } = document;
  const merged = entity === null ? document : mergeConfiguration(document, entity);
  const { name, namespace } = mapOf(metadata);
  const identity = { name: name ?? null, ...(namespace === undefined ? {} : { namespace }) };
  const fixed: YamlMap = {
    ...merged,
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(kind === undefined ? {} : { kind }),
    metadata: { ...mapOf(merged["metadata"]), ...identity },
  };
  const updated = applyUpdates(fixed, updates, { problems });
  const legacy = legacyParameters(document);
  if (legacy === null) return updated;
  const block = { ...mapOf(updated["witboost"]) };
  const named = own.filter(({ path }) => path[0] === "parameters");
  const changed = applyUpdates(
    withoutNulls({ ...legacy, ...parameters }),
    named.map((update) => ({ ...update, path: update.path.slice(1) })),
    { problems, section: ["parameters"] },
  );
  return { ...updated, witboost: { ...block, parameters: changed } };
}

const mapOf = (value: unknown): YamlMap => (isRecord<YamlValue>(value) ? { ...value } : {});

const withoutNulls = (values: YamlMap): YamlMap =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

/**
 * Rejects with a Failure unless the entity can still be resolved with the new files and keeps its identity.
 */
export async function checkNewFiles(
  deps: ReadDeps,
  files: EditableFiles,
  {
    changes,
    environments,
    name,
  }: { changes: readonly FileChange[]; environments: readonly string[]; name: string },
): Promise<void> {
  const contentOf = (path: string, bytes: Buffer | null): Buffer | null =>
    changes.find((change) => change.path === path)?.content ?? bytes;
  const { path } = files.catalogInfo;
  const bytes = contentOf(path, files.catalogInfo.bytes) ?? Buffer.alloc(0);
  const beside = contentOf(files.parameters.path, files.parameters.bytes);
  const parameters = beside === null ? {} : { parameters: { file: files.parameters.path, bytes: beside } };
  for (const environment of environments) {
    const entity = await readOne(deps, { file: path, bytes, environment, ...parameters }).catch(
      (error: unknown) => {
        throw error instanceof Failure ? unresolvable(environment, error.problems) : error;
      },
    );
    const metadata = isRecord(entity) ? entity["metadata"] : undefined;
    const found = isRecord(metadata) ? metadata["name"] : undefined;
    if (typeof found === "string" && found.toLowerCase() === name.toLowerCase()) continue;
    const message = `Its name would be ${showValue(found)}, and a name can't be changed.`;
    throw unresolvable(environment, [{ where: path, message }]);
  }
}

const unresolvable = (environment: string, problems: readonly Problem[]): Failure =>
  builderFailure("BUILDER_EDIT_REFUSED", {
    message: `With these values the entity could not be resolved for ${environment}, so nothing was changed.`,
    problems: [...problems],
  });
