/**
 * Checks settings against their schema. The bundle contains the compiled validator (scripts/build.ts),
 * because compiling it takes much of the start of a process.
 */
import { _, Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { formats } from "./formats.ts";
import { customKeywords, settingsSchema, type Settings } from "./schema/schema.ts";

let compiled: ValidateFunction<Settings> | undefined;

export function settingsValidator(): ValidateFunction<Settings> {
  return (compiled ??= compileSettings().validate);
}

/** `forSource`: for the source of the function, whose making is not counted. */
export function compileSettings({ forSource = false } = {}) {
  const ajv = new Ajv2020({
    allErrors: true,
    useDefaults: true,
    allowUnionTypes: true,
    keywords: [...customKeywords],
    formats,
    // Used once, at a start, where these checks cost more than they are worth. A test checks the schema.
    validateSchema: false,
    meta: false,
    code: { optimize: forSource, source: forSource, esm: true, formats: _`formats` },
  });
  return { ajv, validate: ajv.compile<Settings>(settingsSchema) };
}
