/** Reads a provisioned view, as a consumer of the data product would. */
import { connectTo, type Connection } from "../../platform/db/database.ts";

export interface ViewRows {
  columns: { name: string; isNumber: boolean }[];
  /** As PostgreSQL prints them. */
  rows: string[][];
  total: number;
}

/** Type ids of PostgreSQL's numbers, which read best aligned to the right. */
const numbers = new Set([20, 21, 23, 700, 701, 1700]);

export async function readView(
  connection: Connection,
  { schema, view, limit }: { schema: string; view: string; limit: number },
): Promise<ViewRows> {
  const client = await connectTo({ ...connection, schema }, { applicationName: "plinth-demo" });
  try {
    const from = `${quote(schema)}.${quote(view)}`;
    const { rows, fields } = await client.query<(string | null)[], [number]>({
      text: `select * from ${from} order by 1 limit $1`,
      values: [limit],
      rowMode: "array",
      types: { getTypeParser: () => (text: string | Buffer) => String(text) },
    });
    const counted = await client.query<{ total: number }>(`select count(*)::int as total from ${from}`);
    return {
      columns: fields.map(({ name, dataTypeID }) => ({ name, isNumber: numbers.has(dataTypeID) })),
      rows: rows.map((row) => row.map((value) => value ?? "")),
      total: counted.rows[0]?.total ?? 0,
    };
  } finally {
    await client.end();
  }
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
