/** Pure: the graph of agents and their sub-agents. */

/** Which agents an agent calls. */
export type Edges = ReadonlyMap<string, readonly string[]>;

/**
 * The path from an agent over one of its new sub-agents back to itself, both ends included; null when there is none.
 * `subagents` replace the edges that the agent has in the graph.
 */
export function findCycle(edges: Edges, agent: string, subagents: readonly string[]): string[] | null {
  const reachedFrom = new Map<string, string>();
  const open: string[] = [];
  const reach = (from: string, to: string): void => {
    if (reachedFrom.has(to)) return;
    reachedFrom.set(to, from);
    open.push(to);
  };
  for (const each of subagents) reach(agent, each);
  // Breadth first, so that the path is a shortest one.
  for (let at = 0; at < open.length; at += 1) {
    const here = open[at] ?? "";
    if (here === agent) return pathBack(reachedFrom, agent);
    for (const next of edges.get(here) ?? []) reach(here, next);
  }
  return null;
}

function pathBack(reachedFrom: ReadonlyMap<string, string>, agent: string): string[] {
  const path = [agent];
  let at = reachedFrom.get(agent);
  while (at !== undefined && at !== agent) {
    path.push(at);
    at = reachedFrom.get(at);
  }
  return [...path, agent].toReversed();
}
