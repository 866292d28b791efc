/** Every operation that changes something, from the documents of the interfaces, with an address that it has. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface ChangingOperation {
  method: string;
  path: string;
}

const folder = join(import.meta.dirname, "../../../openapi");
const methods = ["post", "put", "patch", "delete"];
/** Adapters have their own servers. */
const others = new Set(["tech-adapter.json"]);
/** They ask who calls by what is in the request itself, so that a browser has nothing to add. */
const open = [/^\/mcp\/oauth\//];

export function changingOperations(): ChangingOperation[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".json") && !others.has(file));
  return files.flatMap((file) => {
    const { paths } = JSON.parse(readFileSync(join(folder, file), "utf8")) as {
      paths: Record<string, object>;
    };
    return Object.entries(paths).flatMap(([path, item]) =>
      open.some((each) => each.test(path))
        ? []
        : methods
            .filter((method) => method in item)
            .map((method) => ({
              method: method.toUpperCase(),
              path: path.replaceAll(/\{[^}]+\}/g, "victim"),
            })),
    );
  });
}
