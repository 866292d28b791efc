/** Pure: input schemas that several tools share, and the parser of references. */
import { Type } from "typebox";

export const textInput = (description: string, maxLength = 512) =>
  Type.String({ minLength: 1, maxLength, description });

export const environment = textInput("Name of a configured environment, for example `development`.", 128);

export const unitId = textInput("Id of a deployment unit, as in its descriptor.");

export const planToken = textInput(
  "Token of an execution plan, as a start or a list of operations gives it.",
);

export const pageSize = Type.Integer({
  minimum: 1,
  maximum: 100,
  default: 20,
  description: "Entries of this answer.",
});

export const offset = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  default: 0,
  description: "Entries to pass over; for the next page add the entries you have.",
});

export const waitSeconds = Type.Integer({
  minimum: 0,
  maximum: 45,
  default: 0,
  description: "Waits so long for its end before it answers. Ask once with 45 instead of many times with 0.",
});

export interface EntityName {
  kind: string;
  namespace: string;
  name: string;
}

/** `[kind:][namespace/]name`. */
export function readEntityRef(ref: string, defaultKind: string): EntityName {
  const colon = ref.indexOf(":");
  const kind = colon < 0 ? defaultKind : ref.slice(0, colon);
  const rest = ref.slice(colon + 1);
  const slash = rest.indexOf("/");
  return {
    kind,
    namespace: slash < 0 ? "default" : rest.slice(0, slash),
    name: rest.slice(slash + 1),
  };
}
