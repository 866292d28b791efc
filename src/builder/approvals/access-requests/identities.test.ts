import { expect, it } from "vitest";
import { settleIdentities } from "./identities.ts";

const own = ["user:default/kate", "group:sea/pilots"];

it.each([
  [["user:Kate"], ["user:kate"], []],
  [["USER:DEFAULT/KATE", "user:kate", "user:Kate"], ["user:default/kate", "user:kate"], []],
  [["group:Sea/Pilots"], ["group:sea/pilots"], []],
  [["group:pilots"], ["group:pilots"], ["group:pilots"]],
  [["user:\u212Aate"], ["user:\u212Aate"], ["user:\u212Aate"]],
  [["user:default/kate/x"], ["user:default/kate/x"], ["user:default/kate/x"]],
  [["user:default/ kate"], ["user:default/ kate"], ["user:default/ kate"]],
  [["user:Bob", "user:kate"], ["user:Bob", "user:kate"], ["user:Bob"]],
])("%j is stored as %j, of which %j are others", (given, identities, others) => {
  expect(settleIdentities(given, { own, operation: "GRANT" })).toEqual({ identities, others });
});

it("who gives access back gives it back under both forms of the name", () => {
  const given = ["user:kate", "user:bob", "group:sea/pilots"];
  expect(settleIdentities(given, { own, operation: "REVOKE" })).toEqual({
    identities: ["user:default/kate", "user:kate", "user:bob", "group:sea/pilots"],
    others: ["user:bob"],
  });
});
