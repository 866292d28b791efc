/** Who decides about an exception: operators, and whoever owns all that it excuses. */
import { isOperator } from "../../platform/auth/policy.ts";
import type { GovernanceContext } from "../context.ts";
import { isMine } from "../ownership/rules.ts";
import type { ExceptionRow } from "./exception.ts";

/** Maximum number of pairs of a resource and an environment that are looked up; operators decide about more. */
const maxLookups = 100;

/** Asks for the owners of each resource in each environment once, and for the groups of each person. For one request. */
export function withSharedReads(ctx: GovernanceContext): GovernanceContext {
  const { readOwners, readGroups } = ctx.governance;
  const owners = new Map<string, ReturnType<typeof readOwners>>();
  const groups = new Map<string, ReturnType<typeof readGroups>>();
  return {
    ...ctx,
    governance: {
      ...ctx.governance,
      readOwners: (query) =>
        getOrAdd(owners, `${query.environment} ${query.id.toLowerCase()}`, () => readOwners(query)),
      readGroups: (ref) => getOrAdd(groups, ref, () => readGroups(ref)),
    },
  };
}

function getOrAdd<V>(known: Map<string, V>, key: string, make: () => V): V {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

export interface Deciders {
  /** Whether the caller is one of them. */
  mayDecide: boolean;
  /** Who they are, for a refusal. */
  names: readonly string[];
}

/** The owners of what it excuses, each of whom may or may not decide alone. */
export async function candidatesOf(
  ctx: GovernanceContext,
  row: Pick<ExceptionRow, "resourceIds" | "select" | "environments">,
): Promise<string[]> {
  const nobody = { ref: "", roles: [], provider: "notices" };
  const { names } = await decidersOf({ ...ctx, actor: nobody }, row);
  return names.filter((name) => name.includes(":")).slice(0, maxLookups);
}

/** Whoever requested it is not among them, which the caller of this checks. */
export async function decidersOf(
  ctx: GovernanceContext,
  { resourceIds, select, environments }: Pick<ExceptionRow, "resourceIds" | "select" | "environments">,
): Promise<Deciders> {
  const { settings, readOwners, readGroups } = ctx.governance;
  if (isOperator(ctx.actor)) return { mayDecide: true, names: ["operators"] };
  const places = environments.length > 0 ? environments : settings.environments;
  // What an expression selects may be anybody's.
  if (select !== null || resourceIds.length * places.length > maxLookups)
    return { mayDecide: false, names: ["operators"] };
  const ref = ctx.actor.ref.toLowerCase();
  const caller = ref.startsWith("user:") ? [ref, ...(await readGroups(ref))] : [ref];
  const names = new Set<string>();
  let mayDecide = true;
  for (const id of resourceIds) {
    const known: (readonly string[])[] = [];
    for (const environment of places) known.push(...(await readOwners({ id, environment })));
    // Somewhere else it may be somebody else's; what is deployed nowhere is nobody's.
    for (const owners of known.length > 0 ? known : [[]]) {
      for (const owner of owners) names.add(owner);
      mayDecide &&= isMine({ owners, caller, unownedIsMine: settings.unownedIsMine });
    }
  }
  return { mayDecide, names: [...names, "operators"] };
}
