/**
 * The `sql` tag. A value in a template becomes a parameter of the statement; only another `sql` template becomes part of its
 * text. So no value can be executed as SQL. `npm run check:sql` knows these templates by the name of the tag.
 */
import pg from "pg";
import type { Db, Result } from "./database.ts";

/** A statement, or a part of one. `Row` says what rows it returns; the check compares it with the schema. */
export class Sql<Row = unknown> {
  /** One text more than values; each value stands between two texts. */
  readonly #texts: readonly string[];
  readonly #values: readonly unknown[];

  constructor(texts: readonly string[], values: readonly unknown[]) {
    this.#texts = texts;
    this.#values = values;
  }

  /**
   * The text with `$1`, `$2`, … and their values. The same templates give the same text whatever their values are, for
   * connections prepare frequent texts.
   */
  compile(): { text: string; values: unknown[] } {
    const values: unknown[] = [];
    return { text: this.#write(values), values };
  }

  async execute(db: Db): Promise<Result<Row>> {
    const { text, values } = this.compile();
    return db.query<Row>(text, values);
  }

  /** Returns the text and appends its parameters to those of what stands before it. */
  #write(parameters: unknown[]): string {
    let text = this.#texts[0] ?? "";
    for (const [index, value] of this.#values.entries()) {
      text += value instanceof Sql ? value.#write(parameters) : `$${parameters.push(value)}`;
      text += this.#texts[index + 1] ?? "";
    }
    return text;
  }
}

/** The driver converts a value: undefined and null become null, an array one of PostgreSQL, an object JSON. */
function template<Row = unknown>(texts: TemplateStringsArray, ...values: unknown[]): Sql<Row> {
  return new Sql<Row>(texts, values);
}

export const sql = Object.assign(template, {
  /** Puts values or SQL one after the other; nothing of an empty list. */
  join(parts: readonly unknown[], separator: Sql = comma): Sql {
    const values = parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
    return new Sql(
      Array.from({ length: values.length + 1 }, () => ""),
      values,
    );
  },

  /** The text as it is. It must be a constant of the program: whatever a user gives could be SQL. */
  raw: <Row = unknown>(text: string): Sql<Row> => new Sql<Row>([text], []),

  /** A quoted name: `column`, `table.column` or `schema.table.column`. */
  ref(name: string): Sql {
    const parts = name.split(".");
    if (parts.length > 3) throw new Error(`"${name}" is no name of a table or column.`);
    return sql.raw(parts.map((part) => pg.escapeIdentifier(part.trim())).join("."));
  },

  /** A constant of the text, for where PostgreSQL takes no parameter, or plans better without one. */
  lit(value: string | number): Sql {
    if (typeof value === "number" && !Number.isFinite(value))
      throw new Error(`${value} is no constant in SQL.`);
    return sql.raw(typeof value === "number" ? String(value) : pg.escapeLiteral(value));
  },
});

const comma = sql.raw(", ");
