import type { ReactNode } from "react";
import { titleOf, type Entity } from "../../../api/entity.ts";
import classes from "./catalogue.module.css";

/** The name below a title: two entities may have one title. */
export const EntityName = ({ entity }: { entity: Entity }): ReactNode =>
  titleOf(entity) === entity.metadata.name ? null : (
    <span className={classes["name"]}> {entity.metadata.name}</span>
  );
