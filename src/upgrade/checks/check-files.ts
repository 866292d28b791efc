/** Pure. All checks over files and names, and the changes of files that follow from them. */
import { editYaml } from "../files/edit-yaml.ts";
import { renameEntry } from "../files/rename-entry.ts";
import { readVariables, renameVariables } from "../files/variable-file.ts";
import { sortFindings, type Finding } from "../finding.ts";
import { checkConfiguration } from "./configuration.ts";
import { checkDataLayer } from "./data-layer.ts";
import { checkEndpoints } from "./endpoints.ts";
import type { CustomViewDraft, FileInputs, Found } from "./inputs.ts";
import { checkValues } from "./values.ts";
import { checkVariables } from "./variables.ts";

export interface FileChange {
  file: string;
  before: string;
  after: string;
}

export interface CheckedFiles {
  findings: Finding[];
  changes: FileChange[];
  drafts: CustomViewDraft[];
}

/** `texts` are the files of variables, by name. */
export function checkFiles(inputs: FileInputs, texts: ReadonlyMap<string, string> = new Map()): CheckedFiles {
  const found = [
    ...[...inputs.values, ...inputs.configs].flatMap(unreadable),
    ...[...texts].flatMap(([file, text]) => checkNames(file, text)),
    ...checkConfiguration(inputs),
    ...checkVariables(inputs),
    ...checkValues(inputs),
    ...checkDataLayer(inputs),
    ...checkEndpoints(inputs),
  ];
  const before = new Map([
    ...[...inputs.values, ...inputs.configs].map(({ file, text }) => [file, text] as const),
    ...texts,
  ]);
  const after = new Map(before);
  const findings = found.map((each) => {
    const isDone = applied(each, after);
    const { edits: _edits, renames: _renames, draft: _draft, ...finding } = each;
    return isDone ? { ...finding, automatic: true } : finding;
  });
  return {
    findings: sortFindings(findings),
    changes: [...before].flatMap(([file, text]) => {
      const changed = after.get(file) ?? text;
      return changed === text ? [] : [{ file, before: text, after: changed }];
    }),
    drafts: found.flatMap(({ draft }) => draft ?? []),
  };
}

/** Whether all changes of the finding could be made in the texts; a part of them is not made. */
function applied({ edits = [], renames = [] }: Found, texts: Map<string, string>): boolean {
  if (edits.length + renames.length === 0) return false;
  const changed = new Map<string, string>();
  const textOf = (file: string): string => changed.get(file) ?? texts.get(file) ?? "";
  for (const { file, edit } of edits) {
    const text =
      edit.kind === "rename-entry" ? renameEntry(textOf(file), edit) : editYaml(textOf(file), edit);
    if (text === null) return false;
    changed.set(file, text);
  }
  for (const { file, old, now } of renames) changed.set(file, renameVariables(textOf(file), old, now));
  for (const [file, text] of changed) texts.set(file, text);
  return true;
}

/** What is named with --variables and says nothing is most likely another kind of file: its old names would be missed. */
function checkNames(file: string, text: string): Found[] {
  if (readVariables(file, text).length > 0) return [];
  return [
    {
      severity: "breaking",
      item: "files",
      where: file,
      message: "no name of a variable was read from it",
      solution:
        "Give lines NAME or NAME=value, or manifests of the kinds Secret, ConfigMap or List; leave out a file that has no variable.",
    },
  ];
}

function unreadable({ file, problems, includes }: FileInputs["values"][number]): Found[] {
  return [
    ...problems.map(({ where, message }): Found => ({ severity: "breaking", item: "files", where, message })),
    ...includes.map((target): Found => ({
      severity: "info",
      item: "files",
      where: file,
      message: `${file} includes ${target}, which is checked only where it is named as well`,
      solution: `Name it with --config.`,
    })),
  ];
}
