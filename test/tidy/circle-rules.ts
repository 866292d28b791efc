/** No file imports itself over other files, types included, and neither does a folder over its siblings. */
import { importsOf, isTest, type SourceFile, type TidyRule, type Violation } from "./source.ts";

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** One violation for each group of files that reach each other, at its first file, with one way around. */
export const noImportCircles: TidyRule = (files) => circles(importGraph(files)).map(violation);

/** The same for the folders of one folder: two of them may not import each other, not even over a third. */
export const noFolderCircles: TidyRule = (files) => {
  const imports = importGraph(files);
  const siblings = new Map<string, Map<string, Set<string>>>();
  for (const [from, targets] of imports) {
    for (const to of targets) {
      const edge = siblingFolders(from, to);
      if (edge === undefined) continue;
      const graph = siblings.get(edge.parent) ?? new Map<string, Set<string>>();
      graph.set(edge.from, (graph.get(edge.from) ?? new Set<string>()).add(edge.to));
      siblings.set(edge.parent, graph);
    }
  }
  return [...siblings.values()].flatMap(circles).map(violation);
};

const importGraph = (files: readonly SourceFile[]): Graph =>
  new Map(
    files
      .filter((file) => file.path.startsWith("src/") && !isTest(file))
      .map((file) => [
        file.path,
        new Set(importsOf(file).flatMap(({ target }) => (target === undefined ? [] : [target]))),
      ]),
  );

/** The folders in which two files lie directly below the last folder that they share; undefined when one lies in that itself. */
const siblingFolders = (
  from: string,
  to: string,
): { parent: string; from: string; to: string } | undefined => {
  const [own, other] = [from.split("/"), to.split("/")];
  const depth = own.findIndex((part, index) => part !== other[index]);
  if (depth === -1 || depth >= own.length - 1 || depth >= other.length - 1) return undefined;
  const upTo = (path: string[]): string => path.slice(0, depth + 1).join("/");
  return { parent: own.slice(0, depth).join("/"), from: upTo(own), to: upTo(other) };
};

/** A closed way through each strongly connected part that has one, beginning and ending at its first node. */
const circles = (graph: Graph): string[][] => {
  const done = new Set<string>();
  return [...graph.keys()].sort().flatMap((start) => {
    if (done.has(start)) return [];
    const way = shortestWay(graph, start, start);
    if (way === undefined) return [];
    for (const node of graph.keys())
      if (shortestWay(graph, start, node) && shortestWay(graph, node, start)) done.add(node);
    return [way];
  });
};

const shortestWay = (graph: Graph, from: string, to: string): string[] | undefined => {
  const cameFrom = new Map<string, string>();
  let border = [from];
  while (border.length > 0) {
    const next: string[] = [];
    for (const node of border) {
      for (const target of graph.get(node) ?? []) {
        if (cameFrom.has(target)) continue;
        cameFrom.set(target, node);
        next.push(target);
      }
    }
    if (cameFrom.has(to)) return wayBack(cameFrom, from, to);
    border = next;
  }
  return undefined;
};

const wayBack = (cameFrom: ReadonlyMap<string, string>, from: string, to: string): string[] => {
  const way = [to];
  do way.unshift(cameFrom.get(way[0]!)!);
  while (way[0] !== from);
  return way;
};

const violation = (way: readonly string[]): Violation => ({
  path: way[0]!,
  line: 1,
  message: `imports itself: ${way.join(" → ")}`,
});
