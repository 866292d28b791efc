/** The chart as Helm renders it. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dump } from "js-yaml";
import { parseAllDocuments } from "yaml";
import type { KubernetesObject } from "./objects.ts";
import type { Tools } from "./tools.ts";

export const chart = join(import.meta.dirname, "../../charts/plinth");
export const valuesFolder = join(import.meta.dirname, "values");

export interface Answer {
  status: number | null;
  output: string;
}

/** With values/<name>.yaml, and more values on top of them. `notes` is what an installation prints, without a cluster. */
export function helm(
  { helm: program }: Tools,
  command: "lint" | "template" | "notes",
  name: string,
  more?: object,
): Answer {
  const folder = mkdtempSync(join(tmpdir(), "plinth-chart-"));
  try {
    const onTop = join(folder, "values.yaml");
    writeFileSync(onTop, dump(more ?? {}));
    const release = ["demo", chart, "--namespace", "data"];
    const subjects = {
      lint: ["lint", chart, "--strict"],
      template: ["template", ...release],
      notes: ["install", ...release, "--dry-run=client"],
    };
    const files = [join(valuesFolder, `${name}.yaml`), onTop].flatMap((file) => ["--values", file]);
    const env = {
      PATH: process.env["PATH"],
      HOME: folder,
      HELM_CACHE_HOME: folder,
      HELM_CONFIG_HOME: folder,
      HELM_DATA_HOME: folder,
    };
    const { status, stdout, stderr } = spawnSync(program, [...subjects[command], ...files], {
      encoding: "utf8",
      env,
    });
    if (status !== 0 || command === "lint") return { status, output: stdout + stderr };
    return { status, output: command === "notes" ? stdout.slice(stdout.indexOf("\nNOTES:\n")) : stdout };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function objectsOf(rendered: string): KubernetesObject[] {
  return parseAllDocuments(rendered)
    .map((document) => {
      if (document.errors.length > 0) throw document.errors[0]!;
      return document.toJS() as KubernetesObject | null;
    })
    .filter((object) => object !== null);
}

export const readText = (path: string): string =>
  readFileSync(join(import.meta.dirname, "../..", path), "utf8");
