/** Wire shapes of the forms that change an entity. */
import { Type } from "typebox";

const anything = Type.Record(Type.String(), Type.Unknown());
const kind = Type.Enum(["edit", "reverse"], {
  description: "`edit`: an EditTemplate; `reverse`: a ReverseProvisioningTemplate.",
});

export const entityRefText = Type.String({
  minLength: 1,
  maxLength: 512,
  description: "Reference of a system or component: `kind:[namespace/]name`.",
});

export const formsQuery = Type.Object({ entityRef: entityRefText });

export const formList = Type.Object({
  data: Type.Array(
    Type.Object({
      templateRef: Type.String(),
      kind,
      title: Type.String(),
      description: Type.Optional(Type.String()),
    }),
  ),
});

export const formQuery = Type.Object({
  entityRef: entityRefText,
  templateRef: Type.String({
    minLength: 1,
    maxLength: 512,
    description: "Reference of one of the templates that the list names.",
  }),
});

export const entityForm = Type.Object({
  templateRef: Type.String(),
  kind,
  title: Type.String(),
  description: Type.Optional(Type.String()),
  entityRef: Type.String(),
  revision: Type.String({
    description: "Commit that the values were read from; send it with the start of the edit.",
  }),
  steps: Type.Array(
    Type.Object({
      title: Type.String(),
      description: Type.Optional(Type.String()),
      schema: anything,
      environmentParameters: Type.Boolean({
        description:
          "Whether the page is asked for each environment; its values go into `environmentOverrides`.",
      }),
    }),
  ),
  values: Type.Record(Type.String(), Type.Unknown(), {
    description: "What the entity has now, for the fields of the pages.",
  }),
  environmentOverrides: Type.Record(Type.String(), anything, {
    description: "The same by environment, for pages with `environmentParameters`.",
  }),
  environments: Type.Array(Type.String()),
});
