import { describe, expect, it } from "vitest";
import { orderComponents, type OrderNode } from "./checks.ts";

const node = (name: string, ...dependsOn: string[]): OrderNode => ({
  id: `urn:${name}`,
  name,
  dependsOn: dependsOn.map((other) => `urn:${other}`),
});

const orderOf = (nodes: OrderNode[]): string[] =>
  orderComponents(nodes).order.map((position) => nodes[position]!.name);

describe("orderComponents", () => {
  it.each<[string, OrderNode[], string[]]>([
    ["nothing", [], []],
    ["by name", [node("c"), node("a"), node("b")], ["a", "b", "c"]],
    ["a dependency first", [node("a", "z"), node("z")], ["z", "a"]],
    ["by name where there is a choice", [node("a", "z"), node("b"), node("z")], ["b", "z", "a"]],
    [
      "a diamond",
      [node("out", "left", "right"), node("right", "in"), node("left", "in"), node("in")],
      ["in", "left", "right", "out"],
    ],
    ["unknown dependencies count as met", [node("b", "elsewhere"), node("a")], ["a", "b"]],
    ["a repeated dependency counts once", [node("a", "b", "b"), node("b")], ["b", "a"]],
    ["capitals sort by code", [node("b"), node("B"), node("a")], ["B", "a", "b"]],
  ])("%s", (_case, nodes, expected) => {
    expect(orderOf(nodes)).toEqual(expected);
    expect(orderOf(nodes.toReversed())).toEqual(expected);
  });

  it("compares ids without regard to case", () => {
    expect(orderOf([{ ...node("a"), dependsOn: ["URN:Z"] }, node("z")])).toEqual(["z", "a"]);
  });

  it.each<[string, OrderNode[], string[][], string[]]>([
    ["a component that needs itself", [node("a", "a"), node("b")], [["urn:a"]], ["b"]],
    ["two that need each other", [node("a", "b"), node("b", "a")], [["urn:a", "urn:b"]], []],
    [
      "who depends on a circle is not in it",
      [node("a", "b"), node("b", "c"), node("c", "b")],
      [["urn:b", "urn:c"]],
      [],
    ],
    [
      "two circles, one above the other",
      [node("a", "b", "c"), node("b", "a"), node("c", "d"), node("d", "c")],
      [
        ["urn:c", "urn:d"],
        ["urn:a", "urn:b"],
      ],
      [],
    ],
  ])("%s is a cycle", (...[, nodes, cycles, order]) => {
    const result = orderComponents(nodes);
    expect(result.cycles).toEqual(cycles);
    expect(result.order.map((position) => nodes[position]!.name)).toEqual(order);
  });
});
