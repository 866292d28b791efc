import { entityRef } from "../../platform/auth/entity-ref.ts";

/** Whom the tokens of a service account act as. */
export const accountRef = (name: string): string => entityRef("service", name);
