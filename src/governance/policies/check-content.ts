/** Pure. What is wrong with the content of a policy, besides what its engine says of the spec. */
import { Value } from "typebox/value";
import type { Problem } from "../../platform/errors/failure.ts";
import { parseCron } from "../../platform/lib/cron.ts";
import { specs, type EngineName, type PolicyContent } from "./schema.ts";

/** All problems; `where` are JSON pointers into the body. */
export function contentProblems(content: PolicyContent, environments: readonly string[]): Problem[] {
  return [
    ...specProblems(content),
    ...environmentProblems(content, environments),
    ...timingProblems(content),
    ...sightProblems(content),
    ...metricProblems(content),
  ];
}

function specProblems({ engine, spec }: PolicyContent): Problem[] {
  return Value.Errors(specs[engine], spec).map((error) => ({
    where: `/spec${error.instancePath}`,
    message: `${error.message} (engine ${engine})`,
    solution: `Give the engine ${engine} ${Object.keys(specs[engine].properties).join(", ")}.`,
  }));
}

function environmentProblems(content: PolicyContent, environments: readonly string[]): Problem[] {
  return content.environments.flatMap((each, index) =>
    environments.includes(each)
      ? []
      : [
          {
            where: `/environments/${index}`,
            message: `The environment ${each} is not configured.`,
            solution: `Use one of: ${environments.join(", ")}.`,
          },
        ],
  );
}

function timingProblems({ timing, trigger, schedule, strategy }: PolicyContent): Problem[] {
  const problems: Problem[] = [];
  if (trigger === "passive" && timing !== "runtime")
    problems.push({
      where: "/timing",
      message: "A passive policy has the timing runtime: nobody waits for its results at a deployment.",
      solution: "Set timing to runtime, or trigger to active.",
    });
  if (trigger === "active" && strategy === "none")
    problems.push({
      where: "/strategy",
      message: "The strategy none is for passive policies.",
      solution: "Set strategy to default, or trigger to passive.",
    });
  if (schedule !== undefined && (timing !== "runtime" || trigger !== "active"))
    problems.push({
      where: "/schedule",
      message: "Only active runtime policies have a schedule.",
      solution: "Set timing to runtime and trigger to active, or leave schedule out.",
    });
  if (schedule !== undefined && parseCron(schedule) === null)
    problems.push({
      where: "/schedule",
      message: "The schedule is no cron expression of five fields, or names no time.",
      solution: "Give minute, hour, day of the month, month and day of the week, for example `0 6 * * 1-5`.",
    });
  return problems;
}

/** What those engines are given is the resource alone. */
const resourceAlone: ReadonlySet<EngineName> = new Set(["json-schema", "remote"]);

function sightProblems({ engine, context, strategy }: PolicyContent): Problem[] {
  if (!resourceAlone.has(engine)) return [];
  const problems: Problem[] = [];
  if (context === "global")
    problems.push({
      where: "/context",
      message: `The engine ${engine} gets the resource alone, not the unit that it belongs to.`,
      solution: "Set context to local, or use an engine that sees the unit, for example cel.",
    });
  if (strategy === "previous_vs_current")
    problems.push({
      where: "/strategy",
      message: `The engine ${engine} gets the resource alone, not what is deployed.`,
      solution: "Set strategy to default, or use an engine that compares, for example cel.",
    });
  return problems;
}

function metricProblems({ kind, engine, thresholds }: PolicyContent): Problem[] {
  if (kind === "metric" && engine === "json-schema")
    return [
      {
        where: "/engine",
        message: "A schema gives no number, which a metric needs.",
        solution: "Use another engine, for example cel, or set kind to policy.",
      },
    ];
  if (kind === "policy" && thresholds.length > 0)
    return [
      {
        where: "/thresholds",
        message: "Only metrics have thresholds.",
        solution: "Leave thresholds out, or set kind to metric.",
      },
    ];
  return thresholds.flatMap(({ from, to }, index) =>
    typeof from === "number" && typeof to === "number" && from >= to
      ? [
          {
            where: `/thresholds/${index}`,
            message: `The range from ${from} to ${to} is empty.`,
            solution: "Give a `to` above `from`.",
          },
        ]
      : [],
  );
}
