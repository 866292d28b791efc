import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileExpression } from "./compile.ts";
import { CelSyntaxError } from "./syntax/expr.ts";
import { CelError } from "./values.ts";

const evaluate = (text: string, resource: unknown = {}): unknown =>
  compileExpression(text, { resource: "dyn" }).evaluate({ resource });

function refusal(text: string): { message: string; start: number } {
  try {
    compileExpression(text, { resource: "dyn", environment: "string" });
  } catch (error) {
    if (error instanceof CelSyntaxError) return { message: error.message, start: error.start };
    throw error;
  }
  throw new Error(`${text} is not refused`);
}

it.each([
  ["resource.name ==", "The end is not expected here", 16],
  ["resource.name = 'x'", 'The character "=" is not expected here', 14],
  ["resorce.name == 'x'", "There is no variable resorce", 0],
  ["resource.name.sizes() > 1", "There is no function sizes", 0],
  ["true && environment.startsWith(1)", "There is no string.startsWith(int)", 8],
  ["1 + 'a'", "There is no int + string", 0],
  ["double(1) + 1", "There is no double + int (numbers of a descriptor are doubles: write 1.0 or int(x))", 0],
  ["true && 'a'", "&& needs true or false, not a string", 8],
  ["environment ? 1 : 2", "? needs true or false, not a string", 0],
  ["environment.name", "A string has no field name", 12],
  ["has(resource)", "has() needs a field, as in has(resource.name)", 4],
  ["resource.tags.all(1, true)", "The name of a variable is expected here", 18],
  ["(resource.name", "It ends where ) is expected", 14],
  ["'a\\q'", String.raw`The text has an escape that does not exist here: \ `.trim(), 0],
  ["99999999999999999999", "99999999999999999999 is not a number that fits", 0],
  ["package", "package is a reserved word", 0],
])("%s is refused with its place", (text, message, start) => {
  expect(refusal(text)).toEqual({ message, start });
});

describe("what is hostile", () => {
  it.each([
    ["brackets", "(".repeat(5_000) + "1" + ")".repeat(5_000)],
    ["lists", "[".repeat(20_000)],
    ["a chain", `1${" + 1".repeat(10_000)}`],
    ["selections", `resource${".a".repeat(20_000)}`],
    ["signs", `${"!".repeat(20_000)}true`],
    ["a long text", "x".repeat(60_000)],
  ])("%s is refused", (_name, text) => {
    expect(() => compileExpression(text, { resource: "dyn" })).toThrow(CelSyntaxError);
  });

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])("%s is no field of a map", (field) => {
    expect(() => evaluate(`resource.${field}`, {})).toThrow(`There is no key "${field}"`);
    expect(evaluate(`has(resource.${field}) || "${field}" in resource`, {})).toBe(false);
    expect(() => compileExpression(`${field}()`, {})).toThrow("There is no function");
    expect(() => compileExpression(`'a'.${field}()`, {})).toThrow("There is no function");
  });

  it("any text is refused or answers", () => {
    const words = fc.constantFrom(
      ..."resource . [ ] ( ) { } ? : , && || ! - + * / % < == in 'a' 1 2u 1.5 b'x' null true has all map filter size x matches optional.of cel.bind".split(
        " ",
      ),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(words, { maxLength: 14 }).map((each) => each.join(" ")),
          fc.string(),
        ),
        (text) => {
          try {
            evaluate(text, { a: [1, "b", { c: null }] });
          } catch (error) {
            expect(error instanceof CelError || error instanceof CelSyntaxError).toBe(true);
          }
        },
      ),
      { numRuns: 3_000 },
    );
  });
});

describe("arithmetic", () => {
  const int = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const operations: [string, (left: bigint, right: bigint) => bigint][] = [
    ["+", (left, right) => left + right],
    ["-", (left, right) => left - right],
    ["*", (left, right) => left * right],
    ["/", (left, right) => left / right],
    ["%", (left, right) => left % right],
  ];
  it.each(operations)("%s of ints is exact, or fails where it does not fit", (operator, of) => {
    fc.assert(
      fc.property(int, fc.oneof(int, fc.bigInt({ min: -3n, max: 3n })), (left, right) => {
        const run = (): unknown =>
          compileExpression(`a ${operator} b`, { a: "int", b: "int" }).evaluate({ a: left, b: right });
        const exact = right === 0n && "/%".includes(operator) ? undefined : of(left, right);
        if (exact === undefined || BigInt.asIntN(64, exact) !== exact) expect(run).toThrow(CelError);
        else expect(run()).toBe(exact);
      }),
    );
  });
});

it("equality agrees with the order of numbers, and is the same from both sides", () => {
  const number = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.bigInt({ min: -5n, max: 5n }), fc.double());
  const { evaluate: equal } = compileExpression("a == b", { a: "dyn", b: "dyn" });
  const { evaluate: between } = compileExpression("a <= b && a >= b", { a: "dyn", b: "dyn" });
  fc.assert(
    fc.property(number, number, (a, b) => {
      expect(equal({ a, b })).toBe(equal({ a: b, b: a }));
      expect(between({ a, b })).toBe(equal({ a, b }));
    }),
  );
});

it("an evaluation leaves nothing for the next one", () => {
  const { evaluate: both } = compileExpression("resource.all(x, resource.exists(y, x == y))", {
    resource: "dyn",
  });
  expect([both({ resource: [1, 2] }), both({ resource: [] }), both({ resource: ["a"] })]).toEqual([
    true,
    true,
    true,
  ]);
});
