/**
 * The chart with Helm: every set of values is linted, rendered and checked, each object against Kubernetes' schemas; every refusal is
 * seen; the configuration that the pods would read is checked by the program itself. `npm run test:chart`. The first run installs Helm.
 */
import { readdirSync } from "node:fs";
import { programProblems } from "./program.ts";
import { plantUnknownKeys } from "./planted.ts";
import { guideProblems, noteProblems } from "./commands.ts";
import { checkObjects, type KubernetesObject } from "./objects.ts";
import { refusals } from "./refusals.ts";
import { relationProblems } from "./relations.ts";
import { helm, objectsOf, valuesFolder } from "./render.ts";
import { installTools } from "./tools.ts";
import { expectations } from "./expectations.ts";

const tools = installTools();
const started = performance.now();
const failures: string[] = [];
const counts = { sets: 0, objects: 0, refusals: 0, programs: 0 };
const fail = (where: string, problems: readonly string[]): void =>
  void failures.push(...problems.map((problem) => `${where}: ${problem}`));

const rendered = new Map<string, KubernetesObject[]>();
for (const name of readdirSync(valuesFolder).map((file) => file.replace(".yaml", ""))) {
  counts.sets += 1;
  const lint = helm(tools, "lint", name);
  if (lint.status !== 0) fail(name, [lint.output]);
  const template = helm(tools, "template", name);
  if (template.status !== 0) {
    fail(name, [template.output]);
    continue;
  }
  const objects = objectsOf(template.output);
  rendered.set(name, objects);
  counts.objects += objects.length;
  fail(name, relationProblems(objects));
  fail(name, expectations[name]?.(objects) ?? ["nothing is expected of it"]);
  const { problems, programs } = programProblems(objects);
  counts.programs += programs;
  fail(name, problems);
}
for (const [name, objects] of rendered) fail(name, await checkObjects(tools, objects));

for (const { name, values, says } of refusals) {
  counts.refusals += 1;
  const { status, output } = helm(tools, "template", "minimal", values);
  if (status === 0) fail(name, ["it was not refused"]);
  const missing = says.filter((text) => !output.includes(text));
  fail(
    name,
    missing.map((text) => `the refusal does not say ${JSON.stringify(text)} but:\n${output}`),
  );
}

const ofGuides = helm(tools, "template", "minimal", { fullnameOverride: "plinth" });
fail("guides", ofGuides.status === 0 ? guideProblems(objectsOf(ofGuides.output)) : [ofGuides.output]);
for (const [name, isLasting] of [
  ["minimal", false],
  ["repositories", true],
] as const) {
  const { output } = helm(tools, "notes", name);
  fail(`notes of ${name}`, noteProblems(output, rendered.get(name) ?? []));
  if (output.includes("publish:git) do not last") === isLasting)
    fail(`notes of ${name}`, [`they say the wrong thing of repositories:\n${output}`]);
}

const { planted, missed } = await plantUnknownKeys(tools, [...rendered.values()].flat());
fail(
  "planted",
  missed.map((name) => `${name} was not found`),
);

console.log(
  `${counts.sets} sets of values, ${counts.objects} objects, ${counts.refusals} refusals, ${counts.programs} configurations read by ` +
    `the program, ${planted} planted mistakes found, in ${((performance.now() - started) / 1000).toFixed(0)} s`,
);
for (const failure of failures) console.error(`FAILED ${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;
