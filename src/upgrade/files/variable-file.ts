/** Pure. Files that name variables: lines `NAME=value`, lists of names, and manifests of Kubernetes secrets. */
import { isGiven, planRenaming } from "./rename-entry.ts";
import { isMap, plainDocumentsOf, type Plain } from "./yaml-file.ts";

/** A variable or a key of the secret store, by its name; its value is never read. */
export interface NamedVariable {
  name: string;
  /** `environment:NAME`, `secret:NAME` or `file:line:column`. */
  where: string;
  /** The file of lines `NAME=value` in which it can be renamed. */
  file?: string;
  /** An empty variable counts as not set. */
  isSet: boolean;
}

const assignment = /^(\s*(?:export\s+)?)([A-Za-z_]\w*)(\s*=)(.*)$/;

/** A comment needs a space before it: `#` begins many passwords. */
const emptyValue = /^\s*(?:""|'')?\s*(?:(?<=\s)#.*)?$/;

/** The names with their places; values are looked at only to see whether there is one. */
export function readVariables(file: string, text: string): NamedVariable[] {
  const manifests = plainDocumentsOf(text).flatMap(manifestsIn);
  if (manifests.length > 0) return manifests.flatMap(keysOf);
  return text.split(/\r?\n/).flatMap((line, index): NamedVariable[] => {
    const where = `${file}:${index + 1}:1`;
    const [, , name, , value] = assignment.exec(line) ?? [];
    if (name !== undefined) return [{ name, where, file, isSet: !emptyValue.test(value ?? "") }];
    const alone = /^\s*(?:-\s*)?([A-Za-z_][\w.-]*)\s*$/.exec(line)?.[1];
    return alone === undefined ? [] : [{ name: alone, where: `secret:${alone}`, isSet: true }];
  });
}

type Manifest = { [key: string]: Plain };

/** Secrets and config maps, also those in the lists that `kubectl get` prints; an entry of a list may leave its kind out. */
function manifestsIn(document: Manifest): Manifest[] {
  const { kind, items } = document;
  if (kind === "Secret" || kind === "ConfigMap") return [document];
  const ofItems = typeof kind === "string" ? /^(Secret|ConfigMap|)List$/.exec(kind)?.[1] : undefined;
  if (ofItems === undefined || !Array.isArray(items)) return [];
  return items.filter(isMap).flatMap((item) => manifestsIn({ kind: ofItems, ...item }));
}

const keysOf = (manifest: Manifest): NamedVariable[] =>
  [manifest["data"], manifest["stringData"]]
    .filter((each) => each !== undefined && isMap(each))
    .flatMap((each) => Object.entries(each))
    .map(([name, value]) => ({ name, where: `secret:${name}`, isSet: isGiven(value) }));

/** Renames the variable, or removes its line where the new name has a value. Other lines stay as they are. */
export function renameVariables(text: string, old: string, now: string): string {
  const lines = text.split("\n");
  const entries = lines.map((line) => {
    const [, , name = "", , value = ""] = assignment.exec(line.replace(/\r$/, "")) ?? [];
    return { name, isSet: !emptyValue.test(value) };
  });
  const { renamed, removed } = planRenaming(entries, { old, now });
  return lines
    .map((line, index) => (index === renamed ? line.replace(old, now) : line))
    .filter((_line, index) => !removed.includes(index))
    .join("\n");
}
