import { expect, it } from "vitest";
import { ranked } from "./rank.ts";

const hit = (id: string, title: string, score?: number) => ({
  id,
  title,
  subtitle: null,
  environment: null,
  link: {},
  ...(score !== undefined && { score }),
});

it("puts the same name first, then the shortest that begins so, then parts, then words elsewhere", () => {
  const hits = [
    hit("d", "Stops of all trips"),
    hit("c", "Sea-trips"),
    hit("b", "Trips of the harbour"),
    hit("b2", "Trips too"),
    hit("a", "TRIPS"),
    hit("e", "Elsewhere"),
  ];
  expect(ranked(" trips ", hits).map(({ id }) => id)).toEqual(["a", "b2", "b", "c", "d", "e"]);
});

it("takes a whole id for the same name, and the score of a source for what it is", () => {
  const [first, second] = ranked("urn:a", [hit("urn:b", "Other", 0.9), hit("urn:a", "Anything")]);
  expect([first?.id, first?.score, second?.score]).toEqual(["urn:a", 1, 0.9]);
});

it("orders what fits equally well by title, so that nothing jumps while one types", () => {
  expect(ranked("x", [hit("2", "b"), hit("1", "a"), hit("0", "a")]).map(({ id }) => id)).toEqual([
    "0",
    "1",
    "2",
  ]);
});
