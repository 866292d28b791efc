import { Fragment, type ReactNode } from "react";
import classes from "./facts.module.css";

/** Names and what they are, one below the other. What is undefined is left out. */
export const Facts = ({ of }: { of: Record<string, ReactNode> }): ReactNode => (
  <dl className={classes["facts"]}>
    {Object.entries(of).map(
      ([name, value]) =>
        value !== undefined && (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ),
    )}
  </dl>
);
