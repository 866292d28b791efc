/** Prints the entries of `plinth list`: as a table, or with --json as one JSON document. */
import { printJson, printLines, type Cli } from "../context.ts";
import type { ServerOptions } from "../options.ts";
import type { Styles } from "../print/colors.ts";
import { renderTable, type Cell, type Column } from "../print/table.ts";
import { oneLine } from "../print/text.ts";
import type { Filters } from "./kinds.ts";
import type { Listed } from "./pages.ts";

export interface ListOptions extends ServerOptions, Filters {
  limit: number;
}

export interface Printed<T> {
  listed: Listed<T>;
  columns: readonly Column[];
  toRow: (item: T, styles: Styles) => (string | Cell)[];
}

/** The JSON document has every field that the server sent; the table has some of them. */
export function printList<T>(
  cli: Cli,
  { json, limit }: Pick<ListOptions, "json" | "limit">,
  { listed: { items, hasMore, unavailable = [] }, columns, toRow }: Printed<T>,
): void {
  const { styles } = cli.out;
  if (json) {
    printJson(cli.out, { data: items, more: hasMore, ...(unavailable.length > 0 && { unavailable }) });
    return;
  }
  if (items.length === 0) printLines(cli.out, ["There are none."]);
  else {
    const rows = items.map((item) => toRow(item, styles));
    const width = cli.out.size()?.columns;
    printLines(cli.out, renderTable(columns, rows, { width, paintTitle: styles.faint }));
  }
  printLines(
    cli.err,
    unavailable.map(({ kind, reason }) => `${oneLine(kind)} could not be listed: ${oneLine(reason)}`),
  );
  if (hasMore) printLines(cli.err, [`There are more than these ${limit}; --limit shows more of them.`]);
}
