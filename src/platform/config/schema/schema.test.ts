import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { settingsSchema } from "./schema.ts";

it("the schema of the settings is itself valid", () => {
  const ajv = new Ajv2020();
  // The loader leaves this out, since it would cost more than the rest of reading a configuration.
  expect(ajv.validateSchema(settingsSchema), JSON.stringify(ajv.errors)).toBe(true);
});
