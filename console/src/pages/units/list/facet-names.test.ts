import { expect, test } from "vitest";
import { namesOfValues } from "./facet-names.ts";

const lastPart = (value: string): string => value.slice(value.lastIndexOf("/") + 1);

test("values that would have the same name show themselves", () => {
  const names = namesOfValues(["user:default/ada", "group:default/ada", "user:default/bob"], lastPart);
  expect([...names.values()]).toEqual(["user:default/ada", "group:default/ada", "bob"]);
});
