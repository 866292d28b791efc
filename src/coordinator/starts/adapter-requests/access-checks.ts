/** Checks of an access request; all problems are collected. */
import type { Problem } from "../../../platform/errors/failure.ts";
import { longestIdentity, type AccessRequestBody } from "./schema.ts";

/** Problems beyond these are counted, not listed. */
const maxListed = 100;

export function identityProblems(identities: readonly string[]): Problem[] {
  const problems: Problem[] = [];
  let more = 0;
  for (const [index, identity] of identities.entries()) {
    const found = identityProblem(identity);
    if (found && problems.length < maxListed) problems.push({ where: `/identities/${index}`, ...found });
    else if (found) more++;
  }
  if (more > 0) problems.push({ where: "/identities", message: `${more} more identities are wrong.` });
  return problems;
}

function identityProblem(identity: string): Omit<Problem, "where"> | null {
  if (!/^(user|group):\S+$/i.test(identity)) {
    const solution = "Write user:<name> or group:<name>, as in the catalogue.";
    return { message: "The identity is neither a user nor a group.", solution };
  }
  if (Buffer.byteLength(identity) <= longestIdentity) return null;
  return { message: `The identity has more than ${longestIdentity} bytes.`, solution: "Use a shorter name." };
}

export interface PortFacts {
  unitId: string | null;
  port: { status: string; isConsumable: boolean } | null;
  adapter: object | undefined;
}

export function portProblems(body: AccessRequestBody, { unitId, port, adapter }: PortFacts): Problem[] {
  const { environment, dataProductUrn, outputPortUrn } = body;
  if (unitId === null) {
    const message = `Nothing is known of ${dataProductUrn} in ${environment}.`;
    return [{ where: "/dataProductUrn", message, solution: "Deploy it there first." }];
  }
  const where = "/outputPortUrn";
  if (!port) {
    const message = `${dataProductUrn} has no component ${outputPortUrn} in ${environment}.`;
    return [{ where, message, solution: "Name a component or subcomponent that is deployed." }];
  }
  const problems: Problem[] = [];
  if (port.status !== "DEPLOYED") {
    const message = `${outputPortUrn} is ${port.status} in ${environment}, not DEPLOYED.`;
    problems.push({ where, message, solution: "Deploy it first." });
  }
  // Taking all access away is never wrong: what was given before components were consumable or not has to end somehow.
  if (!port.isConsumable && body.identities.length > 0) {
    const message = `${outputPortUrn} is not consumable.`;
    problems.push({ where, message, solution: "Ask for access to one of its consumable subcomponents." });
  }
  if (!adapter) {
    const message = `No adapter of ${outputPortUrn} is enabled in ${environment}.`;
    problems.push({ where, message, solution: "Register the adapter there, or enable it." });
  }
  return problems;
}
