/** For the tests of the checks: files and names as texts, and what is found in them. */
import { readVariables } from "../files/variable-file.ts";
import { readYamlFile } from "../files/yaml-file.ts";
import { checkFiles, type CheckedFiles } from "./check-files.ts";
import type { FileInputs } from "./inputs.ts";

export interface Given {
  values?: string;
  config?: string;
  variables?: string;
  keys?: string;
  more?: Partial<FileInputs>;
}

const removedEndpoints = [
  {
    path: "/v1/computational-governance/evaluation-reports",
    replacement: "/v1/computational-governance/results",
  },
  {
    path: "/v1/computational-governance/resources/{resource}/policy-violations",
    replacement: "/v1/computational-governance/results",
  },
];

export function check({ values, config, variables = "", keys = "", more }: Given): CheckedFiles {
  const inputs: FileInputs = {
    values: values === undefined ? [] : [readYamlFile("values.yaml", values)],
    configs: config === undefined ? [] : [readYamlFile("app-config.yaml", config)],
    variables: [...readVariables("old.env", variables), ...readVariables("keys.txt", keys)],
    removedEndpoints,
    catalogue: null,
    ...more,
  };
  const texts = [["old.env", variables] as const, ["keys.txt", keys] as const].filter(
    ([, text]) => text !== "",
  );
  return checkFiles(inputs, new Map(texts));
}

/** `severity where message`, without what is only worth knowing. */
export const said = (given: Given): string[] =>
  check(given)
    .findings.filter(({ severity }) => severity !== "info")
    .map(({ severity, where, message }) => `${severity} ${where} ${message}`);

export const solutionOf = (given: Given): string | undefined => check(given).findings[0]?.solution;
export const afterwards = (given: Given): string | undefined => check(given).changes[0]?.after;
