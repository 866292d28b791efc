/** Pure. Finds addresses of operations that were removed, wherever a file has them. */
import { showPath, showPlace, type Located, type Path } from "../../platform/config/source/located.ts";
import type { FileInputs, Found, RemovedEndpoint } from "./inputs.ts";

export const checkEndpoints = ({ values, configs, removedEndpoints }: FileInputs): Found[] =>
  [...values, ...configs].flatMap(({ root }) => {
    const found: Found[] = [];
    const visit = (node: Located, path: Path): void => {
      if (node.kind === "map") for (const [key, { value }] of node.entries) visit(value, [...path, key]);
      else if (node.kind === "list") node.items.forEach((item, index) => visit(item, [...path, index]));
      else found.push(...removedIn(node, path, removedEndpoints));
    };
    visit(root, []);
    return found;
  });

function removedIn(
  { place, source }: Extract<Located, { kind: "leaf" }>,
  path: Path,
  endpoints: readonly RemovedEndpoint[],
): Found[] {
  const text = source.type === "template" ? source.text : source.type === "plain" ? String(source.value) : "";
  return endpoints
    .filter((endpoint) => patternOf(endpoint.path).test(text))
    .map(({ path: removed, replacement }) => ({
      severity: "warning",
      item: "removed-endpoints",
      where: showPlace(place),
      message: `${showPath(path)} names GET ${removed}, which was removed and answers 410`,
      solution: `Use ${replacement}.`,
    }));
}

/** The whole path up to a query or its end: `/evaluation-reports/{id}` stays. */
const patternOf = (path: string): RegExp => {
  const parts = path
    .split("/")
    .map((part) => (part.startsWith("{") ? "[^/?#\\s]+" : part.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&")));
  return new RegExp(`${parts.join("/")}/?(?=$|[?#\\s"'])`);
};
