import type { Problem } from "../../platform/errors/failure.ts";
import { idKey } from "../ids.ts";
import type { Unit } from "./descriptor/unit.ts";
import type { PlanContext } from "./model.ts";
import type { PlanNode, PlanPart, PlanGraph } from "./plan-graph.ts";

/**
 * Step 1, second part: checks the path id and the environment against the configuration and the descriptor.
 */
export function checkContext(unit: Unit, configured: PlanContext): Problem[] {
  const problems: Problem[] = [];
  const { pathUnitId, unitIdPattern } = configured;
  if (pathUnitId !== undefined && unit.id !== "" && idKey(pathUnitId) !== unit.key) {
    problems.push({
      where: `${unit.pointer}/id`,
      message: `The descriptor is of ${unit.id}, the path names ${pathUnitId}.`,
      solution: "Use the id of the descriptor in the path.",
    });
  }
  if (unitIdPattern !== undefined && unit.id !== "" && unit.id.search(unitIdPattern) < 0) {
    problems.push({
      where: `${unit.pointer}/id`,
      message: `The id ${unit.id} does not have the configured form ${unitIdPattern.source}.`,
      solution: "Correct the id, or have the configured pattern changed.",
    });
  }
  problems.push(...checkEnvironment(unit, configured));
  return problems;
}

function checkEnvironment(unit: Unit, { environment, environments }: PlanContext): Problem[] {
  const problems: Problem[] = [];
  const wanted = environment ?? unit.environment;
  const where = environment === undefined ? `${unit.pointer}/environment` : "environment";
  const solution = `Use one of: ${environments.join(", ")}.`;
  if (wanted === undefined) return [{ where, message: "The environment is missing.", solution }];
  if (!environments.includes(wanted)) {
    problems.push({ where, message: `The environment ${wanted} is not configured.`, solution });
  }
  if (unit.environment !== undefined && unit.environment !== wanted) {
    problems.push({
      where: `${unit.pointer}/environment`,
      message: `The descriptor is for the environment ${unit.environment}, the request for ${wanted}.`,
      solution: "Build the descriptor for the environment it is sent to.",
    });
  }
  return problems;
}

/**
 * Step 1, adapters: every component of the descriptor and every subcomponent with a call of its own, removed
 * ones and the root included, needs an enabled adapter, also when this plan leaves it alone: a unit that
 * cannot be provisioned as a whole is refused before its first call. The adapter of a deployed snapshot is
 * needed for undeploying.
 */
export function checkAdapters(planGraph: PlanGraph, configured: PlanContext): Problem[] {
  const environment = configured.environment ?? planGraph.unit.environment ?? "";
  // An unknown environment is reported once, not for each component.
  if (!configured.environments.includes(environment)) return [];
  const answers = new Map<string, boolean>();
  const hasAdapter = (templateId: string): boolean => {
    let answer = answers.get(templateId);
    if (answer === undefined) {
      answer = configured.hasAdapter(templateId);
      answers.set(templateId, answer);
    }
    return answer;
  };
  const problems: Problem[] = [];
  const check = (node: PlanNode | PlanPart, where: string) => {
    const templateId = node.infrastructureTemplateId;
    const old = node.current === "NOT_DEPLOYED" ? undefined : node.last?.infrastructureTemplateId;
    if (templateId === undefined) problems.push(noTemplate(node, where));
    else if (!hasAdapter(templateId)) problems.push(noAdapter(node, templateId, { where, environment }));
    if (old !== undefined && old !== templateId && !hasAdapter(old)) {
      problems.push(noAdapter(node, old, { where, environment }));
    }
  };
  for (const node of planGraph.nodes) {
    check(node, placeOf(planGraph, node, node.isRoot));
    for (const part of node.parts) check(part, placeOf(planGraph, part, false));
  }
  return problems;
}

function placeOf(planGraph: PlanGraph, node: PlanNode | PlanPart, isRoot: boolean): string {
  const owner = node.component?.pointer ?? planGraph.unit.pointer;
  return node.removed && !isRoot ? `${owner}/components` : `${owner}/infrastructureTemplateId`;
}

function noTemplate(node: PlanNode | PlanPart, where: string): Problem {
  return {
    where,
    message: `${node.id} has no infrastructureTemplateId, so no tech adapter can provision it.`,
    solution: "Add the infrastructureTemplateId of a registered tech adapter.",
  };
}

function noAdapter(
  node: PlanNode | PlanPart,
  templateId: string,
  { where, environment }: { where: string; environment: string },
): Problem {
  const role = node.removed ? `${node.id}, which is to be removed,` : node.id;
  return {
    where,
    message: `${role} needs the tech adapter ${templateId}, which has no enabled deployment in ${environment}.`,
    solution: `Register the adapter, or enable its deployment in ${environment}.`,
  };
}
