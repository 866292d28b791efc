/** Pure: the reasons why an access request cannot be opened; all of them at once. */
import type { Problem } from "../../../platform/errors/failure.ts";
import type { KnownPort } from "../../ports.ts";

/** Problems beyond these are counted, not listed. */
const maxListed = 100;
const longestIdentityBytes = 400;

export function identityProblems(identities: readonly string[]): Problem[] {
  const found = identities.flatMap((identity, index): Problem[] => {
    const where = `/identities/${index}`;
    if (!/^(?:user|group):\S+$/i.test(identity)) {
      const solution = "Write user:<name> or group:<name>, as in the catalogue.";
      return [{ where, message: "The identity is neither a user nor a group.", solution }];
    }
    if (Buffer.byteLength(identity) <= longestIdentityBytes) return [];
    return [{ where, message: `The identity has more than ${longestIdentityBytes} bytes.` }];
  });
  if (found.length <= maxListed) return found;
  const message = `${found.length - maxListed} more identities are wrong.`;
  return [...found.slice(0, maxListed), { where: "/identities", message }];
}

export const environmentProblems = (environment: string, known: readonly string[]): Problem[] =>
  known.includes(environment)
    ? []
    : [
        {
          where: "/environment",
          message: `The environment ${environment} is not configured.`,
          solution: `Use one of: ${known.join(", ")}.`,
        },
      ];

export interface WantedPorts {
  unitId: string;
  environment: string;
  outputPortUrns: readonly string[];
}

/** Access can only be changed for ports that are deployed and consumable. */
export function portProblems(
  { unitId, environment, outputPortUrns }: WantedPorts,
  ports: readonly (KnownPort | null)[] | null,
): Problem[] {
  if (ports === null) {
    const message = `Nothing is known of ${unitId} in ${environment}.`;
    return [{ where: "/deploymentUnitId", message, solution: "Deploy it there first." }];
  }
  const seen = new Set<string>();
  return outputPortUrns.flatMap((urn, index): Problem[] => {
    const where = `/outputPortUrns/${index}`;
    const port = ports[index] ?? null;
    if (port === null) {
      const message = `${unitId} has no component ${urn} in ${environment}.`;
      return [{ where, message, solution: "Name a component or subcomponent that is deployed." }];
    }
    if (seen.has(port.urn)) return [{ where, message: `${urn} is named twice.` }];
    seen.add(port.urn);
    const problems: Problem[] = [];
    if (port.status !== "DEPLOYED")
      problems.push({
        where,
        message: `${urn} is ${port.status} in ${environment}, not DEPLOYED.`,
        solution: "Deploy it first.",
      });
    if (!port.isConsumable)
      problems.push({
        where,
        message: `${urn} is not consumable.`,
        solution: "Ask for access to one of its consumable subcomponents.",
      });
    return problems;
  });
}
