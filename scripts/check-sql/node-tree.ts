/**
 * Reads PostgreSQL's own form of an analysed statement (`pg_node_tree`): `{VAR :varno 1 :varnullingrels (b 3) …}`.
 * A node becomes an object of its fields with `is` as its kind, a list an array, everything else a text.
 */
export interface TreeNode {
  is: string;
  [field: string]: Tree;
}

export type Tree = string | TreeNode | Tree[];

/** Parentheses, names, and texts in quotes; a backslash takes the next character as it is. */
const token = /[{}()[\]]|"(?:\\.|[^"\\])*"|(?:\\.|[^\s{}()[\]"\\])+/g;

export function parseTree(text: string): Tree {
  const tokens = text.match(token) ?? [];
  let at = 0;
  const parse = (): Tree => {
    const first = tokens[at++] ?? "";
    if (first === "(") return parseList(")");
    if (first === "[") return parseList("]");
    return first === "{" ? parseNode() : first;
  };
  const parseList = (end: string): Tree[] => {
    const items: Tree[] = [];
    while (at < tokens.length && tokens[at] !== end) items.push(parse());
    at++;
    return items;
  };
  const parseNode = (): TreeNode => {
    const node: TreeNode = { is: tokens[at++] ?? "" };
    while (at < tokens.length && tokens[at] !== "}") {
      const field = (tokens[at++] ?? "").slice(1);
      const value: Tree[] = [];
      // A constant's bytes stand behind their length: `4 [ 1 0 0 0 ]`.
      while (at < tokens.length && tokens[at] !== "}" && !tokens[at]?.startsWith(":")) value.push(parse());
      node[field] = value.length === 1 ? (value[0] ?? "") : value;
    }
    at++;
    return node;
  };
  return parse();
}

export const isNode = (tree: Tree | undefined): tree is TreeNode =>
  typeof tree === "object" && !Array.isArray(tree);

/** The nodes of a list; none where there is no list. */
export const nodesIn = (tree: Tree | undefined): TreeNode[] =>
  Array.isArray(tree) ? tree.filter(isNode) : [];

/** A field that holds a word or a number; "" where it does not. */
export function fieldText(node: TreeNode, field: string): string {
  const tree = node[field];
  return typeof tree === "string" ? tree : "";
}
