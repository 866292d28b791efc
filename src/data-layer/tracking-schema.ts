/** Wire shapes of the metadata. */
import { Type, type Static } from "typebox";

const sourceName = Type.String({ minLength: 1, maxLength: 63, description: "A name of dbs.sources." });
const identifier = Type.String({ minLength: 1, maxLength: 63 });
const roleName = Type.String({ description: "A role whose callers see the table." });

export const metadata = Type.Object(
  {
    revision: Type.Integer({ description: "Rises with every change of what is tracked." }),
    sources: Type.Array(
      Type.Object({
        name: sourceName,
        schemas: Type.Array(identifier),
        tables: Type.Array(
          Type.Object({ schema: identifier, name: identifier, roles: Type.Array(roleName) }),
        ),
      }),
    ),
    inconsistencies: Type.Array(Type.Object({ source: sourceName, message: Type.String() }), {
      description: "What is tracked and can't be shown, with the reason.",
    }),
  },
  { description: "What the data layer shows." },
);
export type MetadataView = Static<typeof metadata>;

const trackedTable = Type.Object(
  { schema: identifier, name: identifier },
  { description: "A table or view. What an export says besides is not read." },
);

export const metadataExport = Type.Object(
  {
    revision: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          "Of the metadata that was exported. An edit that names it is refused where there is another by now; a restore does not compare it.",
      }),
    ),
    sources: Type.Array(
      Type.Object({ name: sourceName, tables: Type.Array(trackedTable, { maxItems: 5_000 }) }),
      { maxItems: 20 },
    ),
  },
  { description: "What is tracked, to be restored later." },
);
export type MetadataExport = Static<typeof metadataExport>;
