import { expect, it } from "vitest";
import { connectionOf } from "./sources.ts";

it.each([
  [
    "postgres://u:p@db:6000/x",
    { host: "db", port: 6000, user: "u", password: "p", dbname: "x", schema: "s" },
  ],
  [
    "postgres://a%40b:p%2Fw@[::1]/sales%20mart",
    { host: "::1", port: 5432, user: "a@b", password: "p/w", dbname: "sales mart", schema: "s" },
  ],
])("reads the address %s", (url, connection) => {
  expect(connectionOf(url, "s")).toEqual(connection);
});
