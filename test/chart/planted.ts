/** Mistakes planted in rendered objects, each of which the check has to find. */
import { checkObjects, type KubernetesObject } from "./objects.ts";
import type { Tools } from "./tools.ts";

/** Maps whose keys are free. */
const freeMaps = new Set([
  "labels",
  "annotations",
  "matchLabels",
  "data",
  "nodeSelector",
  "limits",
  "requests",
  "selector",
]);

/** Puts an unknown key into each map of each kind of object. Returns how many, and those that were not found. */
export async function plantUnknownKeys(
  tools: Tools,
  objects: readonly KubernetesObject[],
): Promise<{ planted: number; missed: string[] }> {
  const kinds = [...new Map(objects.map((object) => [object.kind, object])).values()];
  const planted = kinds.flatMap((object) => plantedIn(object));
  const problems = await checkObjects(tools, planted);
  const found = new Set(problems.map((problem) => problem.split(": ")[0]));
  const missed = planted
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    .filter((name) => !found.has(name));
  return { planted: planted.length, missed };
}

function plantedIn(object: KubernetesObject): KubernetesObject[] {
  const places: string[][] = [];
  const walk = (value: unknown, path: string[]): void => {
    if (typeof value !== "object" || value === null) return;
    if (freeMaps.has(path.at(-1) ?? "") && !("matchLabels" in value)) return;
    if (!Array.isArray(value)) places.push(path);
    for (const [key, part] of Object.entries(value)) walk(part, [...path, key]);
  };
  walk(object, []);
  return places.map((path, index) => {
    const copy = structuredClone(object);
    copy.metadata.name = `planted-${index}-at-${path.join(".")}`;
    const map = path.reduce<Record<string, unknown>>((at, key) => at[key] as Record<string, unknown>, copy);
    map["notKnown"] = "planted";
    return copy;
  });
}
