/** Pure: paths as a tree, and what files contain. */

export interface FileNode {
  name: string;
  path: string;
  /** null for a file. */
  children: FileNode[] | null;
}

export const treeOf = (paths: readonly string[]): FileNode[] => {
  const root: FileNode = { name: "", path: "", children: [] };
  for (const path of paths) {
    let folder = root;
    const parts = path.split("/").filter((part) => part !== "");
    for (const [index, name] of parts.entries()) {
      const children = (folder.children ??= []);
      const isFile = index === parts.length - 1;
      let next = children.find((child) => child.name === name && (child.children === null) === isFile);
      if (next === undefined) {
        next = { name, path: parts.slice(0, index + 1).join("/"), children: isFile ? null : [] };
        children.push(next);
      }
      folder = next;
    }
  }
  return sorted(root.children ?? []);
};

/** Folders first, then by name. */
const sorted = (nodes: readonly FileNode[]): FileNode[] =>
  nodes
    .toSorted(
      (a, b) => Number(a.children === null) - Number(b.children === null) || a.name.localeCompare(b.name),
    )
    .map((node) => (node.children === null ? node : { ...node, children: sorted(node.children) }));

export interface FileText {
  /** null for a file that is no text. */
  text: string | null;
  bytes: number;
}

const longest = 200_000;

export const contentOf = (base64: string): FileText => {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const isBinary = text.includes("\0");
    const cut = text.length > longest ? `${text.slice(0, longest)}\n… (cut)` : text;
    return { text: isBinary ? null : cut, bytes: bytes.length };
  } catch {
    return { text: null, bytes: bytes.length };
  }
};

export const sizeText = (bytes: number): string =>
  bytes < 1024
    ? `${bytes} B`
    : bytes < 1024 * 1024
      ? `${(bytes / 1024).toFixed(1)} KiB`
      : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
