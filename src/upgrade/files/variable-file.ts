/** Pure. Files that name variables: lines `NAME=value`, lists of names, and manifests of Kubernetes secrets. */
import { isMap, plainOf } from "./yaml-file.ts";

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

/** The names with their places; values are looked at only to see whether there is one. */
export function readVariables(file: string, text: string): NamedVariable[] {
  const manifest = plainOf(text);
  if (manifest["kind"] === "Secret" || manifest["kind"] === "ConfigMap")
    return [manifest["data"], manifest["stringData"]]
      .filter((each) => each !== undefined && isMap(each))
      .flatMap((each) => Object.entries(each))
      .map(([name, value]) => ({ name, where: `secret:${name}`, isSet: value !== "" && value !== null }));
  return text.split(/\r?\n/).flatMap((line, index): NamedVariable[] => {
    const where = `${file}:${index + 1}:1`;
    const [, , name, , value] = assignment.exec(line) ?? [];
    if (name !== undefined) return [{ name, where, file, isSet: !/^\s*(?:""|'')?\s*$/.test(value ?? "") }];
    const alone = /^\s*(?:-\s*)?([A-Za-z_][\w.-]*)\s*$/.exec(line)?.[1];
    return alone === undefined ? [] : [{ name: alone, where: `secret:${alone}`, isSet: true }];
  });
}

/** Renames the variable, or removes its line where the new name has one. Other lines stay as they are. */
export function renameVariables(text: string, old: string, now: string): string {
  const lines = text.split("\n");
  const has = lines.some((line) => assignment.exec(line)?.[2] === now);
  return lines
    .flatMap((line) => {
      const found = assignment.exec(line.replace(/\r$/, ""));
      if (found?.[2] !== old) return [line];
      return has ? [] : [line.replace(old, now)];
    })
    .join("\n");
}
