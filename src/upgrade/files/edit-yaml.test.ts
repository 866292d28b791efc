import { expect, test } from "vitest";
import { editYaml, type Edit } from "./edit-yaml.ts";

test.each<[string, string, Edit, string | null]>([
  [
    "removes a key and leaves comments, quotes and order",
    "# head\na: 'x'   # why\nb:\n    c: 1\n    d: {e:  2}\n# tail\n",
    { kind: "remove", path: ["b", "c"] },
    "# head\na: 'x'   # why\nb:\n    d: {e:  2}\n# tail\n",
  ],
  [
    "removes the maps that become empty",
    "a: 1\nmesh:\n  ui:\n    page:\n      grid:\n        - x\n        - y\nz: 2\n",
    { kind: "remove", path: ["mesh", "ui", "page", "grid"] },
    "a: 1\nz: 2\n",
  ],
  [
    "renames a key where it stands",
    "auth: # who\n  development:   {x: 1}\n  more: 2\n",
    { kind: "rename", path: ["auth", "development"], to: "default" },
    "auth: # who\n  default:   {x: 1}\n  more: 2\n",
  ],
  [
    "adds a key with the map that is missing",
    "a: 1\nb: 2",
    { kind: "set", path: ["auth", "environment"], value: "development" },
    "a: 1\nb: 2\nauth:\n  environment: development\n",
  ],
  [
    "adds a key at the end of a map, with its indentation",
    "auth:\n   providers:\n      guest: {}\n\nz: 1\n",
    { kind: "set", path: ["auth", "environment"], value: "development" },
    "auth:\n   providers:\n      guest: {}\n   environment: development\n\nz: 1\n",
  ],
  [
    "replaces a text block by a list",
    "c:\n  extraEnv: |\n    - name: A\n      value: b\n  z: 1\n",
    { kind: "set", path: ["c", "extraEnv"], value: [{ name: "A", value: "b" }] },
    "c:\n  extraEnv:\n    - name: A\n      value: b\n  z: 1\n",
  ],
  [
    "replaces a single value in a list item",
    "env:\n- name: OLD # note\n  value: 1\n",
    { kind: "set", path: ["env", 0, "name"], value: "NEW" },
    "env:\n- name: NEW # note\n  value: 1\n",
  ],
  [
    "removes an entry of a list and leaves the comments of the others",
    "env:\n  # first\n  - name: A # a\n    value: |\n      x\n\n  # second\n  - name: B\nz: 1\n",
    { kind: "remove", path: ["env", 0] },
    "env:\n  # first\n\n  # second\n  - name: B\nz: 1\n",
  ],
  [
    "removes the only entry with its list",
    "a: 1\nc:\n  env:\n  - name: A\n",
    { kind: "remove", path: ["c", "env", 0] },
    "a: 1\n",
  ],
  [
    "removes an entry whose map begins on the next line",
    "env:\n  -\n    name: A\n  - B\n",
    { kind: "remove", path: ["env", 0] },
    "env:\n  - B\n",
  ],
  [
    "changes a map in braces",
    "a: {b: {c: 1, d: 2}} # note\nz: 1\n",
    { kind: "remove", path: ["a", "b", "c"] },
    "a: { b: { d: 2 } } # note\nz: 1\n",
  ],
  [
    "works on an empty file",
    "# nothing\n",
    { kind: "set", path: ["a", "b"], value: 1 },
    "# nothing\na:\n  b: 1\n",
  ],
  [
    "keeps a file with Windows line ends valid",
    "a: 1\r\nb: 2\r\n",
    { kind: "remove", path: ["a"] },
    "b: 2\r\n",
  ],
  [
    "ends new lines as those that are there",
    "a: 1\r\nb: |\r\n  x\r\n",
    { kind: "set", path: ["b"], value: ["x", "y"] },
    "a: 1\r\nb:\r\n  - x\r\n  - y\r\n",
  ],
  ["finds nothing to remove", "a: 1\n", { kind: "remove", path: ["b"] }, null],
  ["leaves what is no YAML", "a: [", { kind: "remove", path: ["a"] }, null],
  [
    "leaves a file whose anchor would be lost",
    "a: &x {b: 1}\nc: *x\n",
    { kind: "remove", path: ["a"] },
    null,
  ],
])("%s", (_what, text, edit, expected) => {
  expect(editYaml(text, edit)).toBe(expected);
});
