/** Wire shapes of queries. */
import { Type, type Static } from "typebox";

const nullable = (type: string) => [type, "null"];

export const graphqlRequest = Type.Object(
  {
    query: Type.Optional(
      Type.Unsafe<string | null>({
        type: nullable("string"),
        maxLength: 100_000,
        description: "A document; may be left out where its hash is known.",
      }),
    ),
    variables: Type.Optional(
      Type.Unsafe<Record<string, unknown> | null>({
        type: nullable("object"),
        additionalProperties: true,
        description: "By name.",
      }),
    ),
    operationName: Type.Optional(
      Type.Unsafe<string | null>({
        type: nullable("string"),
        maxLength: 255,
        description: "Which operation of the document is executed.",
      }),
    ),
    extensions: Type.Optional(
      Type.Unsafe<{ persistedQuery?: { version: number; sha256Hash: string } } | null>({
        type: nullable("object"),
        properties: {
          persistedQuery: {
            type: "object",
            properties: {
              version: { type: "integer", minimum: 1, maximum: 1 },
              sha256Hash: { type: "string", pattern: "^[0-9a-f]{64}$" },
            },
            required: ["version", "sha256Hash"],
            description: "The hash of a query that may have been sent before.",
          },
        },
        description: "What clients add.",
      }),
    ),
  },
  { description: "A query, as GraphQL over HTTP has it." },
);
export type GraphqlRequest = Static<typeof graphqlRequest>;

const place = Type.Object({ line: Type.Integer(), column: Type.Integer() });

export const graphqlError = Type.Object({
  message: Type.String(),
  path: Type.Optional(Type.Array(Type.Unsafe<string | number>({ type: ["string", "integer"] }))),
  locations: Type.Optional(Type.Array(place)),
  extensions: Type.Object({ code: Type.String() }),
});

export const graphqlAnswer = Type.Object(
  {
    data: Type.Unsafe<Record<string, unknown> | null>({
      type: nullable("object"),
      additionalProperties: true,
    }),
    errors: Type.Optional(Type.Array(graphqlError)),
  },
  { description: "What was read, with what could not be." },
);

/** The body of a request that was refused. */
export const graphqlRefusal = Type.Object(
  { errors: Type.Array(graphqlError, { minItems: 1 }) },
  { description: "Why the query was not executed." },
);
