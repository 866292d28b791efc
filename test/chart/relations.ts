/** What has to fit between the rendered objects of one release, and between them and the program. */
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { healthPaths } from "../../src/platform/http/paths.ts";
import type { KubernetesObject } from "./objects.ts";
import { readText } from "./render.ts";

const repository = join(import.meta.dirname, "../..");

export interface Variable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef?: { name: string; key: string } };
}

export interface Mount {
  name: string;
  mountPath: string;
  subPath?: string;
  readOnly?: boolean;
}

export interface Container {
  name: string;
  command?: string[];
  args: string[];
  env: Variable[];
  ports: { name: string; containerPort: number }[];
  volumeMounts?: Mount[];
  securityContext: { readOnlyRootFilesystem?: boolean };
}

export interface Deployment extends KubernetesObject {
  spec: {
    replicas?: number;
    selector: { matchLabels: Record<string, string> };
    template: {
      metadata: { labels: Record<string, string> };
      spec: {
        containers: Container[];
        volumes?: { name: string; persistentVolumeClaim?: { claimName: string } }[];
      };
    };
  };
}

const ofKind = <T extends KubernetesObject = any>(objects: readonly KubernetesObject[], kind: string): T[] =>
  objects.filter((object) => object.kind === kind) as T[];

export const deploymentsOf = (objects: readonly KubernetesObject[]) =>
  ofKind<Deployment>(objects, "Deployment");

export const containerOf = ({ spec }: Deployment): Container => spec.template.spec.containers[0]!;

const chooses = (wanted: Record<string, string>, labels: Record<string, string>): boolean =>
  Object.entries(wanted).every(([name, value]) => labels[name] === value);

/** Sentences about what does not fit. */
export function relationProblems(objects: readonly KubernetesObject[]): string[] {
  return [...names(objects), ...selectors(objects), ...mounts(objects), ...ingressPaths(objects)];
}

function names(objects: readonly KubernetesObject[]): string[] {
  const seen = new Set<string>();
  return objects.flatMap(({ kind, metadata: { name } }) => {
    const id = `${kind}/${name}`;
    const problems = [
      ...(seen.has(id) ? [`${id} is there twice`] : []),
      ...(name.length > 63 ? [`${id} is longer than 63 characters`] : []),
    ];
    seen.add(id);
    return problems;
  });
}

function selectors(objects: readonly KubernetesObject[]): string[] {
  const deployments = deploymentsOf(objects);
  const chosen = (wanted: Record<string, string>): Deployment[] =>
    deployments.filter(({ spec }) => chooses(wanted, spec.template.metadata.labels));
  const one = (object: KubernetesObject, wanted: Record<string, string>): string[] => {
    const found = chosen(wanted).map(({ metadata }) => metadata.name);
    const fits = found.length === 1 && found[0] === object.metadata.name;
    return fits ? [] : [`${object.kind}/${object.metadata.name} chooses ${found.join(", ") || "nothing"}`];
  };
  return [
    ...deployments.flatMap((each) => one(each, each.spec.selector.matchLabels)),
    ...ofKind(objects, "Service").flatMap((each) => one(each, each.spec.selector)),
    ...ofKind(objects, "PodDisruptionBudget").flatMap((each) => one(each, each.spec.selector.matchLabels)),
    ...ofKind(objects, "NetworkPolicy").flatMap((each) => one(each, each.spec.podSelector.matchLabels)),
    ...ofKind(objects, "HorizontalPodAutoscaler").flatMap(({ metadata, spec }) => {
      const target = deployments.find((each) => each.metadata.name === spec.scaleTargetRef.name);
      if (target === undefined) return [`the autoscaler ${metadata.name} has no deployment`];
      return target.spec.replicas === undefined ? [] : [`${metadata.name} has replicas and an autoscaler`];
    }),
  ];
}

function mounts(objects: readonly KubernetesObject[]): string[] {
  return deploymentsOf(objects).flatMap((deployment) => {
    const { volumes = [] } = deployment.spec.template.spec;
    const { env, volumeMounts = [], securityContext } = containerOf(deployment);
    const { name } = deployment.metadata;
    const missing = volumeMounts.filter((mount) => !volumes.some((volume) => volume.name === mount.name));
    const twice = env.filter((each, index) => env.findIndex((other) => other.name === each.name) < index);
    const open = env.filter((each) => /PASSWORD|SECRET/.test(each.name) && each.value !== undefined);
    return [
      ...foldersOfRoot(volumeMounts).map((path) => `${name} could not write to ${path}: it would be root's`),
      ...missing.map((mount) => `${name} mounts ${mount.name}, which is no volume`),
      ...twice.map((each) => `${name} has ${each.name} twice`),
      ...open.map((each) => `${name} has ${each.name} as a text`),
      ...(securityContext.readOnlyRootFilesystem === true ? [] : [`${name} may write to its root`]),
    ];
  });
}

/** Folders between a mount and the one around it: the container's runtime makes them, as root. */
const foldersOfRoot = (given: readonly Mount[]): string[] =>
  given.flatMap(({ mountPath }) => {
    const around = given.filter((other) => mountPath.startsWith(`${other.mountPath}/`));
    const above = dirname(mountPath);
    return around.length === 0 || around.some((other) => other.mountPath === above) ? [] : [above];
  });

const areas = ["builder", "assistant", "coordinator", "governance", "data-layer"];

/** Every operation of a served area is reached through the ingress, at the deployment that serves it. */
function ingressPaths(objects: readonly KubernetesObject[]): string[] {
  const [ingress] = ofKind(objects, "Ingress");
  if (ingress === undefined) return [];
  const rules: { path: string; pathType: string; backend: { service: { name: string } } }[] =
    ingress.spec.rules[0].http.paths;
  const services = new Set(ofKind(objects, "Service").map(({ metadata }) => metadata.name));
  const dangling = rules
    .map(({ backend }) => backend.service.name)
    .filter((name) => !services.has(name))
    .map((name) => `the ingress leads to ${name}, which is no service`);
  const wrong = areas.flatMap((area) => {
    const server = deploymentsOf(objects).find((each) => areasOf(each).includes(area));
    const document = JSON.parse(readText(`openapi/${area}.json`)) as { paths: Record<string, unknown> };
    return Object.keys(document.paths).flatMap((path) => {
      const found = rules
        .filter((rule) => path === rule.path || path.startsWith(`${rule.path}/`))
        .sort((a, b) => b.path.length - a.path.length)[0]?.backend.service.name;
      return found === server?.metadata.name ? [] : [`${path} of ${area} leads to ${found ?? "nothing"}`];
    });
  });
  return [...dangling, ...wrong, ...consolePaths(rules)];
}

/** Where the ingress leads to the console, it leads to each page and file of it, and to nothing that is for the inside. */
function consolePaths(rules: readonly { path: string; pathType: string }[]): string[] {
  const root = rules.find(({ path }) => path === "/");
  if (root === undefined) return [];
  const leads = (to: string): boolean =>
    rules.some(
      ({ path, pathType }) =>
        to === path || (pathType === "Prefix" && to.startsWith(`${path.replace(/\/$/, "")}/`)),
    );
  const wanted = [
    ...pagePaths(),
    "/docs",
    "/assets/index.js",
    ...readdirSync(join(repository, "console/public")).map((name) => `/${name}`),
  ];
  return [
    ...wanted.filter((path) => !leads(path)).map((path) => `${path} of the console leads to nothing`),
    ...healthPaths.filter(leads).map((path) => `${path} is reached from outside`),
  ];
}

/** As the routes of the console are written: `path: "/units/$unitId"`. */
function pagePaths(): string[] {
  const folder = join(repository, "console/src");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /routes?\.tsx?$|router\.tsx?$/.test(name))
    .flatMap((name) => [...readText(`console/src/${name}`).matchAll(/\bpath: "(\/[^"]*)"/g)])
    .map(([, path = ""]) => path);
}

export function areasOf(deployment: Deployment): string[] {
  const { args } = containerOf(deployment);
  const at = args.indexOf("--areas");
  return at === -1 ? [] : args[at + 1]!.split(",");
}
