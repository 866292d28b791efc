/** Pure. What the schema of the rules can't say. */
import type { Problem } from "../../platform/errors/failure.ts";
import type { OwnershipRule } from "./rules.ts";

export function ruleProblems(rules: readonly OwnershipRule[], environments: readonly string[]): Problem[] {
  const known = new Set(environments.map((each) => each.toLowerCase()));
  const names = new Map<string, number>();
  return rules.flatMap((rule, index) => {
    const first = names.get(rule.name);
    if (first === undefined) names.set(rule.name, index);
    return [
      ...(first === undefined ? [] : [sameName(rule.name, first, index)]),
      ...rule.environments.flatMap((name, place) =>
        known.has(name.toLowerCase())
          ? []
          : [unknownEnvironment(name, `/rules/${index}/environments/${place}`, environments)],
      ),
      ...(rule.groups.length > 0 && rule.effect !== "approval" ? [needlessGroups(rule, index)] : []),
    ];
  });
}

const sameName = (name: string, first: number, index: number): Problem => ({
  where: `/rules/${index}/name`,
  message: `The rule ${first} has the name "${name}" too.`,
  solution: "Give each rule a name of its own: refusals name the rule.",
});

const unknownEnvironment = (name: string, where: string, environments: readonly string[]): Problem => ({
  where,
  message: `There is no environment ${name}.`,
  solution: `Use one of ${environments.join(", ")}.`,
});

const needlessGroups = ({ effect }: OwnershipRule, index: number): Problem => ({
  where: `/rules/${index}/groups`,
  message: `Groups approve, but the rule has the effect ${effect}.`,
  solution: "Leave the groups out, or make the effect approval.",
});
