import { expect, test } from "vitest";
import { maskFor } from "./secrets-in.ts";

const secret = "hunter2-4711";

test.each([
  ["a key", `db:\n  password: ${secret}\n`],
  ["an entry of a list", `env:\n- name: DB_PASSWORD\n  value: ${secret}\n`],
  ["a text block of entries", `extraEnv: |\n  - name: DB_PASSWORD\n    value: ${secret}\n`],
  ["a text block of lines", `extraEnv: |\n  DB_PASSWORD=${secret}\n`],
  ["the licence", `signature: ${secret}\n`],
  ["everything below a key", `credentials:\n  a: [x, ${secret}]\n`],
  ["a line of a file of variables", `export DB_PASSWORD="${secret}"\n`],
  ["a key of a second document", `a: 1\n---\ndb:\n  password: ${secret}\n`],
  ["an address", `url: postgres://u:${secret}@h/db\n`],
])("hides %s", (_what, text) => {
  const shown = maskFor([text])(text);
  expect(shown).not.toContain(secret);
  expect(shown).toContain("***");
});

test("leaves the rest", () => {
  const text = "host: db\nsecretKeyRef: {name: platform, key: password}\nport: 5432\n";
  expect(maskFor([text])(text)).toBe(text);
});
