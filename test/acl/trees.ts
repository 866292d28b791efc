/** Units as an older program left them: components with subcomponents of several levels, and who had access to which. */
export type Draw = (max: number) => number;

export interface TreeNode {
  id: string;
  /** As in the descriptor; absent leaves it to the type or the kind. */
  consumable?: boolean | string;
  kind?: string;
  instanceOf?: string;
  children: TreeNode[];
}

export interface Grant {
  environment: string;
  componentId: string;
  identity: string;
  /** Minutes since the first. */
  at: number;
}

export interface Tree {
  unitId: string;
  /** In these it is deployed. */
  environments: string[];
  components: TreeNode[];
  grants: Grant[];
}

/** What the taxonomy of the generated catalogue says, by name. */
export const types: Record<string, boolean | undefined> = {
  archive: true,
  workload: false,
  storage: undefined,
};

const kinds = ["outputport", "OutputPort", "workload", "storage", "archive", "dashboard"];
const people = ["user:ada", "user:bob", "group:ops"];

export function drawTree(draw: Draw, number: number): Tree {
  const unitId = `unit:${number}`;
  const environments = draw(2) === 0 ? ["development", "production"] : ["development"];
  const components = Array.from({ length: 1 + draw(2) }, (_, index) =>
    drawNode(draw, `${unitId}:C${index}`, 0),
  );
  const ids = components.flatMap(withAll).map(({ id }) => id);
  const grants = environments.flatMap((environment) =>
    ids.flatMap((componentId) =>
      people
        .filter(() => draw(3) === 3)
        .map((identity) => ({ environment, componentId, identity, at: draw(999) })),
    ),
  );
  return { unitId, environments, components, grants };
}

function drawNode(draw: Draw, id: string, depth: number): TreeNode {
  const node: TreeNode = { id, children: [] };
  const word = draw(5);
  if (word < 2) node.consumable = word === 0;
  else if (word === 2) node.consumable = draw(1) === 0 ? "true" : "false";
  if (draw(5) > 0) node.kind = kinds[draw(kinds.length - 1)]!;
  if (draw(5) === 5)
    node.instanceOf = draw(1) === 0 ? "componenttype:default/archive" : "componenttype:default/none";
  const count = depth < 3 && draw(1) === 1 ? 1 + draw(2) : 0;
  for (let child = 0; child < count; child += 1)
    node.children.push(drawNode(draw, `${id}:S${child}`, depth + 1));
  return node;
}

export const withAll = (node: TreeNode): TreeNode[] => [node, ...node.children.flatMap(withAll)];

/** The rule as the specification has it, written down once more. */
export function isConsumable({ consumable, kind, instanceOf }: TreeNode): boolean {
  if (consumable !== undefined) return String(consumable) === "true";
  const name = instanceOf === undefined ? kind?.toLowerCase() : instanceOf.split("/")[1];
  const ofType = name === undefined ? undefined : types[name];
  return ofType ?? kind?.toLowerCase() === "outputport";
}

/** Consumable nodes at or below it that have no consumable node below them. */
export function consumableLeaves(node: TreeNode): TreeNode[] {
  const below = node.children.flatMap(consumableLeaves);
  return below.length > 0 || !isConsumable(node) ? below : [node];
}

/** `environment leaf identity` for everything that somebody reaches by the grants. */
export function reached(
  tree: Tree,
  grants: readonly Pick<Grant, "environment" | "componentId" | "identity">[],
) {
  const nodes = new Map(tree.components.flatMap(withAll).map((node) => [node.id, node]));
  const pairs = grants.flatMap(({ environment, componentId, identity }) => {
    const node = nodes.get(componentId);
    return node ? consumableLeaves(node).map((leaf) => `${environment} ${leaf.id} ${identity}`) : [];
  });
  return [...new Set(pairs)].toSorted();
}
