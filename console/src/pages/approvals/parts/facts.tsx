import type { ReactNode } from "react";
import classes from "./facts.module.css";

/** Names and values; a value that is undefined is left out. */
export const Facts = ({ items }: { items: Readonly<Record<string, ReactNode>> }): ReactNode => (
  <dl className={classes["facts"]}>
    {Object.entries(items)
      .filter(([, value]) => value !== undefined && value !== null && value !== "")
      .map(([name, value]) => (
        <div key={name} className={classes["fact"]}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
