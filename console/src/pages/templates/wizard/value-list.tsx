import { Code, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { isRecord, numbered, textOr, type Values } from "../form/json.ts";
import classes from "./wizard.module.css";

export interface ValueListProps {
  /** Their schemas, for the titles and the order. */
  fields: ReadonlyMap<string, Values>;
  values: Values;
}

export const ValueList = ({ fields, values }: ValueListProps): ReactNode => {
  const names = [...new Set([...fields.keys(), ...Object.keys(values)])].filter(
    (name) => values[name] !== undefined,
  );
  if (names.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing is filled in
      </Text>
    );
  return (
    <dl className={classes["values"]}>
      {names.map((name) => (
        <div key={name}>
          <dt>{textOr(fields.get(name)?.["title"], name)}</dt>
          <dd>
            <ValueText value={values[name]} />
          </dd>
        </div>
      ))}
    </dl>
  );
};

/** Any value as text. */
export const ValueText = ({ value }: { value: unknown }): ReactNode => {
  if (value === null || value === "" || value === undefined) return <span aria-label="empty">–</span>;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "string" || typeof value === "number") return String(value);
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) return value.join(", ");
  if (Array.isArray(value))
    return (
      <ul className={classes["items"]}>
        {numbered(value).map(({ key, item }) => (
          <li key={key}>{isRecord(item) ? lineOf(item) : JSON.stringify(item)}</li>
        ))}
      </ul>
    );
  return <Code>{JSON.stringify(value)}</Code>;
};

const lineOf = (item: Values): string =>
  Object.entries(item)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
