/**
 * Rendered objects against Kubernetes' schemas: the validators of the package (types, formats, what is required), and its types with
 * TypeScript, which refuses a key that is not known at any depth.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Tools } from "./tools.ts";

export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  [key: string]: unknown;
}

const root = join(import.meta.dirname, "../..");

/** What is wrong with the objects, each with the object's kind and name. */
export async function checkObjects(tools: Tools, objects: readonly KubernetesObject[]): Promise<string[]> {
  const invalid = await Promise.all(objects.map((object) => validate(tools, object)));
  return [...invalid.flat(), ...unknownKeys(tools, objects)];
}

/** Objects of the Prometheus operator have a package of their own. */
const operatorModels = "@kubernetes-models/prometheus-operator";
const operatorPrefix = "ComGithubPrometheusOperatorPrometheusOperatorPkgApisMonitoring";
const isOfOperator = (group: string): boolean => group === "monitoring.coreos.com";

interface Validator {
  (data: unknown): boolean;
  errors?: { instancePath: string; keyword: string; params: object }[] | null;
}

const shown = ({ kind, metadata }: KubernetesObject): string => `${kind} ${metadata?.name}`;

async function validate({ folder }: Tools, object: KubernetesObject): Promise<string[]> {
  const [group = "", version = ""] = groupAndVersion(object);
  const area = capital((group === "" ? "core" : group).split(".")[0]!);
  const file = isOfOperator(group)
    ? `${operatorModels}/_schemas/${operatorPrefix}${capital(version)}${object.kind}.js`
    : `kubernetes-models/_schemas/IoK8sApi${area}${capital(version)}${object.kind}.js`;
  const { validate: check } = (await import(pathToFileURL(join(folder, "node_modules", file)).href)) as {
    validate: Validator;
  };
  if (check(object)) return [];
  return (check.errors ?? []).map(
    ({ instancePath, keyword, params }) =>
      `${shown(object)}: ${instancePath} is not valid (${keyword}: ${JSON.stringify(params)})`,
  );
}

const compilerOptions = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  target: "es2024",
  module: "nodenext",
  types: [],
};

/** By the compiler: an object literal may only have the keys of its type. */
function unknownKeys({ folder }: Tools, objects: readonly KubernetesObject[]): string[] {
  const lines: string[] = [];
  const starts: { line: number; object: KubernetesObject }[] = [];
  for (const [index, object] of objects.entries()) {
    const [group = "", version = ""] = groupAndVersion(object);
    const from = join(isOfOperator(group) ? operatorModels : "kubernetes-models", group, version);
    starts.push({ line: lines.length + 1, object });
    lines.push(
      `import type { I${object.kind} as Type${index} } from "${from}";`,
      `export const object${index}: Type${index} =`,
      ...`${JSON.stringify(object, null, 1)};`.split("\n"),
    );
  }
  const own = mkdtempSync(join(folder, "objects-"));
  try {
    writeFileSync(join(own, "objects.ts"), lines.join("\n"));
    writeFileSync(join(own, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["objects.ts"] }));
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    const { status, stdout } = spawnSync(process.execPath, [compiler, "-p", ".", "--pretty", "false"], {
      cwd: own,
      encoding: "utf8",
    });
    const problems = [...stdout.matchAll(/^objects\.ts\((\d+),\d+\): error (.*)$/gm)].map(
      ([, line, message]) => {
        const { object } = starts.findLast((start) => start.line <= Number(line))!;
        return `${shown(object)}: ${message} (at ${lines[Number(line) - 1]?.trim()})`;
      },
    );
    if (status !== 0 && problems.length === 0)
      throw new Error(`The compiler ended with ${status}: ${stdout}`);
    return problems;
  } finally {
    rmSync(own, { recursive: true });
  }
}

function groupAndVersion({ apiVersion }: KubernetesObject): string[] {
  return apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
