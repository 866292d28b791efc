/**
 * Validation: first every problem of the component's text; then a dry run against the live database in a
 * transaction that is rolled back: creates the component's dependencies without data, then the component
 * itself. So a source counts when it exists already or is declared by a dependency, and PostgreSQL itself
 * checks the SQL.
 */
import { errorCode } from "../../../platform/errors/error-code.ts";
import { Failure } from "../../../platform/errors/failure.ts";
import type { Problem } from "../../../platform/errors/failure.ts";
import { findComponent } from "../../kit/descriptor.ts";
import type { CallContext, DescriptorCall } from "../../kit/protocol.ts";
import { withBookkeeping } from "../bookkeeping.ts";
import type { Database } from "../session.ts";
import { readComponent, readSiblings } from "../descriptor/component.ts";
import type { Declared } from "../descriptor/component.ts";
import { sameRelation, showRelation } from "../descriptor/identifiers.ts";
import { provision } from "./provision.ts";
import type { Work } from "./work.ts";

export async function validate(
  database: Database,
  call: DescriptorCall,
  context: CallContext,
): Promise<Problem[]> {
  const { unit, component, pointer } = call;
  if (!component) {
    return [{ where: "", message: "this adapter deploys components, not whole systems" }];
  }
  const options = { database: database.address.database };
  const { declared, problems } = readComponent(unit, { component, pointer }, options);
  problems.push(...dependencyProblems(call, component["dependsOn"]));
  if (!declared) return problems;
  const siblings = readSiblings(unit, component, options);
  problems.push(...clashProblems(declared, siblings));
  if (problems.length > 0) return problems;
  return tryDeployment(database, { declared, siblings, context });
}

function dependencyProblems({ unit, pointer }: DescriptorCall, dependsOn: unknown): Problem[] {
  if (!Array.isArray(dependsOn)) return [];
  return dependsOn.flatMap((id: unknown, index) => {
    if (typeof id !== "string" || findComponent(unit, id)) return [];
    const message = `${id.slice(0, 200)} is not a component of this system`;
    return [{ where: `${pointer}/dependsOn/${index}`, message }];
  });
}

/** Two components may not make the same object; a workload of mode once makes none. */
function clashProblems(declared: Declared, siblings: Map<string, Declared>): Problem[] {
  const makes = (each: Declared): boolean => each.kind !== "workload" || each.mode !== "once";
  if (!makes(declared)) return [];
  return [...siblings.values()].flatMap((sibling) => {
    if (!makes(sibling) || !sameRelation(sibling.relation, declared.relation)) return [];
    const message = `${showRelation(declared.relation)} is also declared by ${sibling.owner.componentId}`;
    return [{ where: `${declared.pointer}/specific`, message, solution: "Give each its own name." }];
  });
}

/** The declared dependencies, direct and indirect, each after its own. */
export function dependencyOrder(declared: Declared, siblings: Map<string, Declared>): Declared[] {
  const order: Declared[] = [];
  const seen = new Set<Declared>([declared]);
  const visit = (each: Declared): void => {
    for (const id of each.dependsOn) {
      const dependency = siblings.get(id.toLowerCase());
      if (!dependency || seen.has(dependency)) continue;
      seen.add(dependency);
      visit(dependency);
      order.push(dependency);
    }
  };
  visit(declared);
  return order;
}

interface DeploymentTry {
  declared: Declared;
  siblings: Map<string, Declared>;
  context: CallContext;
}

async function tryDeployment(
  database: Database,
  { declared, siblings, context }: DeploymentTry,
): Promise<Problem[]> {
  const dependencies = dependencyOrder(declared, siblings);
  const undeclared = [...siblings.values()].filter((sibling) => !dependencies.includes(sibling));
  const declarer: Work["declarer"] = (relation) =>
    undeclared.find((sibling) => sameRelation(sibling.relation, relation))?.owner.componentId;
  try {
    return await withBookkeeping(database, { signal: context.signal, dryRun: true }, async (session) => {
      const work: Work = { session, address: database.address, log: () => {}, declarer };
      const broken: string[] = [];
      for (const dependency of dependencies) {
        // Problems of a dependency are reported when that one is validated.
        const made = await attempt(work, dependency);
        if (made.length > 0) broken.push(dependency.owner.componentId);
      }
      const problems = await attempt(work, declared);
      if (problems.length > 0 && broken.length > 0) {
        const message = `depends on components that have problems of their own: ${broken.join(", ")}`;
        problems.push({ where: `${declared.pointer}/dependsOn`, message, solution: "Correct those first." });
      }
      return problems;
    });
  } catch (error) {
    // The dry run does not wait for locks. What it could not check is checked when the component is deployed.
    if (error instanceof Failure && error.kind === "unavailable" && isLockTimeout(error)) return [];
    throw error;
  }
}

const isLockTimeout = (error: Failure): boolean =>
  ["55P03", "57014", "40P01"].includes(errorCode(error.cause));

async function attempt({ session, ...rest }: Work, declared: Declared): Promise<Problem[]> {
  try {
    await session.savepoint(() => provision({ session, ...rest }, declared));
    return [];
  } catch (error) {
    if (error instanceof Failure && error.kind === "invalid") {
      if (error.problems.length > 0) return error.problems;
      return [{ where: `${declared.pointer}/specific`, message: error.message }];
    }
    throw error;
  }
}
