import { Type, type Static, type TSchema, type TUnsafe } from "typebox";

/**
 * `T | null` as a type list (`type: ["string", "null"]`), which costs the serialiser nothing, unlike a union.
 * For a schema without a single `type` (a reference, an enum of mixed types) it falls back to a union.
 */
export const Nullable = <T extends TSchema>(schema: T): TUnsafe<Static<T> | null> => {
  const own: object = schema;
  const plain = { ...own } as { type?: unknown; enum?: unknown[] };
  if (typeof plain.type !== "string") {
    return Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: "null" }] });
  }
  const values = plain.enum === undefined ? {} : { enum: [...plain.enum, null] };
  return Type.Unsafe<Static<T> | null>({ ...plain, ...values, type: [plain.type, "null"] });
};

/** One of the given strings, as `type: string` with `enum`. */
export const OneOf = <const V extends readonly string[]>(
  values: V,
  options: { description?: string; default?: V[number]; deprecated?: boolean } = {},
): TUnsafe<V[number]> => Type.Unsafe<V[number]>({ type: "string", enum: [...values], ...options });
