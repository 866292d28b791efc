/** Pure. Gives variables of a list or a file their new names where the new name may stand there already. */
import { editYaml } from "./edit-yaml.ts";
import { isMap, plainOf, type Plain } from "./yaml-file.ts";

/** An old name in a list of `name` with `value` or `valueFrom`. */
export interface EntryRename {
  kind: "rename-entry";
  /** Of the list. */
  path: readonly (string | number)[];
  old: string;
  now: string;
}

interface NamedValue {
  name: string;
  /** An empty variable counts as not set. */
  isSet: boolean;
}

interface Renaming {
  /** Index of the entry that gets the new name; null when an entry with the new name has a value already. */
  renamed: number | null;
  /** Indexes of the entries to remove, so that no entry of the old name is left. */
  removed: readonly number[];
}

/** Of several entries with one name the last one counts, as for a shell and for Kubernetes. */
export function planRenaming(
  entries: readonly NamedValue[],
  { old, now }: { old: string; now: string },
): Renaming {
  const placesOf = (wanted: string): number[] =>
    entries.flatMap(({ name }, index) => (name === wanted ? [index] : []));
  const before = placesOf(old);
  const after = placesOf(now);
  if (entries[after.at(-1) ?? -1]?.isSet === true) return { renamed: null, removed: before };
  const renamed = before.at(-1) ?? null;
  // What has the new name says nothing, so it makes way for the value.
  return { renamed, removed: renamed === null ? [] : [...after, ...before.slice(0, -1)] };
}

export const isGiven = (value: Plain | undefined): boolean =>
  value !== undefined && value !== null && value !== "";

/** An entry of a list of variables; null for what is none. */
export function namedValue(entry: Plain | undefined): NamedValue | null {
  if (!isMap(entry) || typeof entry["name"] !== "string") return null;
  return { name: entry["name"], isSet: isGiven(entry["value"]) || isGiven(entry["valueFrom"]) };
}

/** Returns the YAML text with the variable renamed; unchanged when the list has no entry of the old name, null when it cannot be edited. */
export function renameEntry(text: string, { path, old, now }: EntryRename): string | null {
  const list = path.reduce<Plain | undefined>((holder, part) => {
    if (Array.isArray(holder)) return holder[Number(part)];
    return isMap(holder) ? holder[part] : undefined;
  }, plainOf(text));
  if (!Array.isArray(list)) return null;
  const entries = list.map((entry) => namedValue(entry) ?? { name: "", isSet: false });
  const { renamed, removed } = planRenaming(entries, { old, now });
  let changed: string | null = text;
  if (renamed !== null)
    changed = editYaml(changed, { kind: "set", path: [...path, renamed, "name"], value: now });
  // From the end, so that the places of the others stay.
  for (const index of removed.toSorted((a, b) => b - a))
    changed = changed === null ? null : editYaml(changed, { kind: "remove", path: [...path, index] });
  return changed;
}
