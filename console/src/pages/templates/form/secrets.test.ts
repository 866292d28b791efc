import { expect, it } from "vitest";
import { secretPaths, withoutSecrets } from "./secrets.ts";

const page = {
  definitions: { login: { properties: { password: { type: "string", "ui:widget": "password" } } } },
  properties: {
    name: { type: "string" },
    token: { "ui:field": "Secret" },
    logins: { type: "array", items: { $ref: "#/definitions/login" } },
  },
  dependencies: { name: { oneOf: [{ properties: { key: { format: "password" } } }] } },
};

it("finds the secret fields of a page, also in lists and in branches", () => {
  expect(secretPaths(page)).toEqual([["token"], ["logins", "*", "password"], ["key"]]);
});

it("leaves secrets out, or masks them, and nothing else", () => {
  const values = { name: "a", token: "t", logins: [{ password: "p", user: "u" }, { user: "v" }] };
  expect(withoutSecrets(values, secretPaths(page))).toEqual({
    name: "a",
    logins: [{ user: "u" }, { user: "v" }],
  });
  expect(withoutSecrets(values, secretPaths(page), "•")).toEqual({
    name: "a",
    token: "•",
    logins: [{ password: "•", user: "u" }, { user: "v" }],
  });
});
