/** What the pods would start: the program reads their configuration with their variables. */
import { parseArgs } from "node:util";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { areaNames } from "../../src/areas.ts";
import { settingVariables } from "../../src/platform/config/environment.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { Failure } from "../../src/platform/errors/failure.ts";
import type { KubernetesObject } from "./objects.ts";
import { containerOf, deploymentsOf, type Container, type Deployment } from "./relations.ts";

const isArea = (name: string): boolean => areaNames.some((area) => area === name);

export function programProblems(objects: readonly KubernetesObject[]): {
  problems: string[];
  programs: number;
} {
  const config = objects.find(
    ({ kind, metadata }) => kind === "ConfigMap" && metadata.name.endsWith("-config"),
  );
  const files = (config?.["data"] ?? {}) as Record<string, string>;
  const own = deploymentsOf(objects).filter((deployment) => containerOf(deployment).command === undefined);
  return { problems: own.flatMap((deployment) => problemsOf(deployment, files)), programs: own.length };
}

function problemsOf(deployment: Deployment, texts: Record<string, string>): string[] {
  const container = containerOf(deployment);
  const { name } = deployment.metadata;
  const folder = mkdtempSync(join(tmpdir(), "plinth-chart-config-"));
  try {
    const { values } = parseArgs({
      args: container.args.slice(1),
      options: {
        config: { type: "string", multiple: true },
        areas: { type: "string" },
        workers: { type: "string" },
      },
    });
    const unknownAreas = (values.areas ?? "").split(",").filter((area) => area !== "" && !isArea(area));
    const given = (values.config ?? []).map((path) => path.replace("/etc/plinth/", ""));
    for (const file of given) writeFileSync(join(folder, file), texts[file] ?? "");
    const files = given.map((file) => join(folder, file));
    const { config: read, warnings } = loadConfig({ files, env: variablesOf(container), cwd: folder });
    const isWorker = values.workers === "only";
    return [
      ...unknownAreas.map((area) => `${name} serves ${area}, which is no area`),
      ...warnings.map(({ message }) => `${name}: ${message}`),
      ...unknownVariables(container).map((variable) => `${name} sets ${variable}, which is no setting`),
      ...(read.server.host === "0.0.0.0" && read.server.port === container.ports[0]?.containerPort
        ? []
        : [`${name} does not listen at its port`]),
      ...(read.database.embedded ? [`${name} would start a database of its own`] : []),
      ...(isWorker && !read.server.workersListen ? [`${name} answers no probe`] : []),
    ];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [`${name} would not start: ${error.message} ${JSON.stringify(error.problems)}`];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const key32 = Buffer.alloc(32, 7).toString("base64");
const formerKey32 = Buffer.alloc(32, 8).toString("base64");

/** What comes from a secret is a text that fits. */
const variablesOf = ({ env }: Container): Record<string, string> =>
  Object.fromEntries(env.map(({ name, value }) => [name, value ?? secretOf(name)]));

function secretOf(name: string): string {
  if (name.endsWith("SECRET_KEY")) return key32;
  if (name.startsWith("INSTALLATION_KEY_FORMER_")) return formerKey32;
  if (name.endsWith("DATABASE_URL")) return "postgres://reader:secret@database:5432/data";
  return `secret-of-${name}-0123456789`;
}

const known = new Set(
  settingVariables.flatMap(({ name, fallback }) => [name, ...(fallback ? [fallback] : [])]),
);

/** Of the names that belong to the program. */
const unknownVariables = ({ env }: Container): string[] =>
  env
    .map(({ name }) => name)
    .filter((name) => /^(PLINTH|PLATFORM|COORDINATOR|CGP|CORE)_/.test(name) && !known.has(name));
