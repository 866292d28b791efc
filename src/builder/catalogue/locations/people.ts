/**
 * Pure: users and groups determine ownership, so they are accepted only from locations that may provide them.
 */
import type { Problem } from "../../../platform/errors/failure.ts";
import type { Actor } from "../../../platform/lib/actor.ts";
import type { CatalogueSettings } from "../../context.ts";
import type { LoadedEntity } from "../sources/read-entities.ts";

/** Whether locations registered by this actor may provide users and groups permanently. */
export const mayBringPeople = ({ roles }: Actor): boolean => roles.includes("admin");

export const takesPeople = (
  { bringsPeople }: { bringsPeople: boolean },
  { peopleFrom }: CatalogueSettings,
): boolean => bringsPeople || peopleFrom === "everybody";

const kinds = new Set(["user", "group"]);

export const isPerson = ({ entity }: LoadedEntity): boolean => kinds.has(entity.kind.toLowerCase());

export const peopleProblems = (entities: readonly LoadedEntity[]): Problem[] =>
  entities.filter(isPerson).map(({ ref, where }) => ({
    where,
    message: `${ref} is not taken from this location: users and groups say who owns what.`,
    solution:
      "Have an administrator register the location that holds them, or name it in `startupActions.catalog.locations`.",
  }));
