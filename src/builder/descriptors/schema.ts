import { Type } from "typebox";

/** The multipart form of a descriptor build, for the OpenAPI document; read-upload.ts reads it. */
export const buildForm = Type.Object({
  archive: Type.Unsafe<string>({
    type: "string",
    format: "binary",
    description: "A .tar.gz or .tgz file with one directory for each entity.",
  }),
  environment: Type.String({ minLength: 1, description: "Environment whose configurations apply." }),
});

export const previewBody = Type.Object({
  systemRef: Type.String({
    minLength: 1,
    maxLength: 600,
    description: "Reference of a system in the catalogue, such as `system:default/finance.orders.0`.",
  }),
  environment: Type.String({
    minLength: 1,
    maxLength: 200,
    description: "Environment whose configurations apply.",
  }),
});

/** The built descriptor. Its JSON is sent unchanged, so the schema is only documentation. */
export const buildAnswer = Type.Object({
  descriptor: Type.Object(
    {
      id: Type.String(),
      name: Type.String(),
      version: Type.String(),
      environment: Type.String(),
      projectKind: Type.String(),
      kind: Type.String(),
      domain: Type.String(),
      dataProductOwner: Type.Optional(Type.String()),
      metadata: Type.Object({ name: Type.String() }, { additionalProperties: true }),
      components: Type.Array(Type.Object({}, { additionalProperties: true })),
    },
    { additionalProperties: true },
  ),
});
