import { expect, it } from "vitest";
import { dropSecrets } from "./secret-values.ts";

it("leaves out texts, numbers, items and keys that hold a secret", () => {
  const values = {
    name: "ferries",
    password: "hunter22",
    port: 4711,
    list: ["a", "my hunter22", { inner: "hunter22", other: 1 }],
    "hunter22-key": true,
    none: undefined,
  };
  expect(dropSecrets(values, (text) => /hunter22|4711/.test(text))).toEqual({
    name: "ferries",
    list: ["a", { other: 1 }],
  });
});
