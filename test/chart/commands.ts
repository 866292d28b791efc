/** The kubectl commands of the guides, for a release `plinth`, and those of an installation's notes: what they name has to be there. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { KubernetesObject } from "./objects.ts";
import { containerOf, deploymentsOf } from "./relations.ts";
import { readText } from "./render.ts";

const guides = "docs/guides";

const kinds: Record<string, string> = {
  deploy: "Deployment",
  deployment: "Deployment",
  service: "Service",
  svc: "Service",
  configmap: "ConfigMap",
  cm: "ConfigMap",
};

/** Of all guides. The objects are those of a release with the values that the guides show. */
export function guideProblems(objects: readonly KubernetesObject[]): string[] {
  const found = readdirSync(join(import.meta.dirname, "../..", guides))
    .filter((name) => name.endsWith(".md"))
    .flatMap((name) => commandsOf(readText(`${guides}/${name}`)).map((command) => ({ name, command })));
  if (found.length < 5) return [`only ${found.length} commands were found in the guides`];
  return found.flatMap(({ name, command }) =>
    commandProblems(command, objects).map((problem) => `${name}: ${problem}`),
  );
}

export const noteProblems = (notes: string, objects: readonly KubernetesObject[]): string[] =>
  commandsOf(notes.replaceAll("<area>", "builder")).flatMap((command) => commandProblems(command, objects));

/** From `kubectl` to the end of the line or of the code. */
const commandsOf = (text: string): string[] => text.match(/\bkubectl [^`\n]*/g) ?? [];

function commandProblems(command: string, objects: readonly KubernetesObject[]): string[] {
  const isThere = (kind: string, name: string): boolean =>
    objects.some((object) => object.kind === kind && object.metadata.name === name);
  const named = [...command.matchAll(/\s([a-z]+)\/([^\s]+)/g)]
    .map(([, short = "", name = ""]) => ({ kind: kinds[short] ?? short, name }))
    .filter(({ kind, name }) => !isThere(kind, name))
    .map(({ kind, name }) => `there is no ${kind} ${name}`);
  const [, secret = ""] = /create secret generic (\S+)/.exec(command) ?? [];
  const read = secretKeys(objects);
  const unread = [...command.matchAll(/--from-literal=([^=\s]+)=/g)]
    .map(([, key = ""]) => `${secret}/${key}`)
    .filter((key) => !read.has(key))
    .map((key) => `nothing reads ${key}`);
  return [...named, ...unread];
}

/** `<secret>/<key>` of all variables. */
const secretKeys = (objects: readonly KubernetesObject[]): Set<string> =>
  new Set(
    deploymentsOf(objects)
      .flatMap((deployment) => containerOf(deployment).env)
      .flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? [])
      .map(({ name, key }) => `${name}/${key}`),
  );
