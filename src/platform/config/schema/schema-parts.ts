import { Type, type TSchema } from "typebox";

/** An object without unknown keys; given as `{}` when nothing in it is required, so that defaults reach inside. */
export const section = <P extends Record<string, TSchema>>(properties: P, description: string) =>
  Type.Object(properties, { additionalProperties: false, default: {}, description });

/** An object that only exists when somebody writes it. */
export const entry = <P extends Record<string, TSchema>>(
  properties: P,
  description: string,
  options: Record<string, unknown> = {},
) => Type.Object(properties, { additionalProperties: false, description, ...options });

export const count = (
  fallback: number,
  description: string,
  bounds: { minimum?: number; maximum?: number } = {},
) => Type.Integer({ minimum: 1, maximum: 1_000_000_000, ...bounds, default: fallback, description });

export const text = (description: string, options: Record<string, unknown> = {}) =>
  Type.String({ minLength: 1, maxLength: 4096, description, ...options });

export const httpUrl = (description: string) =>
  text(description, {
    format: "http-url",
    "x-expects": "a plain http or https address without a user name or password in it",
  });

export const environmentNamePattern = "^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$";
export const environmentNameWords =
  "a name of at most 63 letters, digits, dots, hyphens and underscores that starts with a letter or digit";

export const environmentName = (description: string, options: Record<string, unknown> = {}) =>
  Type.String({
    pattern: environmentNamePattern,
    "x-expects": environmentNameWords,
    description,
    ...options,
  });
