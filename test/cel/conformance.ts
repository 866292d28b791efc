/**
 * The public conformance data of the Common Expression Language, against our compiler. Left out is what needs protocol buffers:
 * whole sections by name, and single cases of the others that use messages or enums.
 */
import { createRegistry, toJsonString } from "@bufbuild/protobuf";
import { anyUnpack, DurationSchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { Any } from "@bufbuild/protobuf/wkt";
import { SimpleTestSchema } from "@bufbuild/cel-spec/cel/expr/conformance/test/simple_pb.js";
import type { Value as SpecValue } from "@bufbuild/cel-spec/cel/expr/value_pb.js";
import { getTestRegistry } from "@bufbuild/cel-spec/testdata/registry.js";
import { getConformanceSuite, type IncrementalTestSuite } from "@bufbuild/cel-spec/testdata/tests.js";
import { compileExpression } from "../../src/governance/engines/cel/compile.ts";
import { CelSyntaxError } from "../../src/governance/engines/cel/syntax/expr.ts";
import {
  CelError,
  Duration,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from "../../src/governance/engines/cel/values.ts";

/** Sections that are about protocol buffers, or about their reflection over them. */
export const excludedSections: Readonly<Record<string, string>> = {
  block_ext: "cel.block, which only optimisers of syntax trees write, over messages",
  dynamic: "the well-known wrapper messages, Struct and Any",
  enums: "enums of messages",
  proto2: "messages",
  proto2_ext: "extensions of messages",
  proto3: "messages",
  wrappers: "the well-known wrapper messages",
};

const message =
  /google\.protobuf\.(?!Timestamp|Duration)|TestAllTypes|cel\.expr\.conformance\.proto|NestedEnum|GlobalEnum/;

type SpecTest = IncrementalTestSuite["tests"][number]["original"];

export interface Report {
  sections: Map<string, { passed: number; total: number }>;
  /** `section/name expression: why`. */
  failures: string[];
  /** Cases left out, by section. */
  excluded: Map<string, number>;
}

export function runConformance(): Report {
  const report: Report = { sections: new Map(), failures: [], excluded: new Map() };
  for (const suite of getConformanceSuite().suites) walk(suite, [suite.name], report);
  return report;
}

function walk(suite: IncrementalTestSuite, path: readonly string[], report: Report): void {
  for (const inner of suite.suites) walk(inner, [...path, inner.name], report);
  for (const { name, original } of suite.tests) check(original, `${path.join("/")}/${name}`, report);
}

function check(test: SpecTest, name: string, { sections, failures, excluded }: Report): void {
  const section = name.split("/")[0]!;
  if (section in excludedSections || usesMessages(test)) {
    excluded.set(section, (excluded.get(section) ?? 0) + 1);
    return;
  }
  const figures = sections.get(section) ?? { passed: 0, total: 0 };
  sections.set(section, figures);
  figures.total += 1;
  const problem = problemOf(test);
  if (problem === undefined) figures.passed += 1;
  else failures.push(`${name} ${test.expr}: ${problem}`);
}

const specRegistry = getTestRegistry();

function usesMessages(test: SpecTest): boolean {
  return message.test(test.expr + toJsonString(SimpleTestSchema, test, { registry: specRegistry }));
}

/** Why it failed. */
function problemOf({ expr, typeEnv, bindings, resultMatcher: wanted }: SpecTest): string | undefined {
  const wantsError = wanted.case === "evalError" || wanted.case === "anyEvalErrors";
  const values: Record<string, Value> = {};
  for (const [name, { kind }] of Object.entries(bindings))
    if (kind.case === "value") values[name] = valueOf(kind.value);
  const declared = typeEnv.flatMap(({ name, declKind }) => (declKind.case === "ident" ? [name] : []));
  const variables = Object.fromEntries(
    [...declared, ...Object.keys(values)].map((name) => [name, "dyn" as const]),
  );
  let got: Value;
  try {
    got = compileExpression(expr, variables, { refusesUnknown: false }).evaluate(values);
  } catch (error) {
    const isExpected = error instanceof CelError || error instanceof CelSyntaxError;
    if (isExpected && wantsError) return undefined;
    return isExpected ? `failed: ${error.message}` : `broke: ${String(error)}`;
  }
  if (wantsError) return `answered ${textOf(got)}, an error is expected`;
  const expected = wanted.case === "typedResult" ? wanted.value.result : wanted.value;
  if (wanted.case === "typedResult" && expected === undefined) return undefined;
  const fits = expected === undefined ? got === true : isEqual(expected as SpecValue, got);
  return fits ? undefined : `answered ${textOf(got)}`;
}

const textOf = (value: Value): string =>
  JSON.stringify(value, (_key, each: unknown) => (typeof each === "bigint" ? `${each}n` : each)) ?? "nothing";

const registry = createRegistry(TimestampSchema, DurationSchema);

function momentOf(any: Any): Timestamp | Duration {
  const unpacked = anyUnpack(any, registry) as unknown as {
    $typeName: string;
    seconds: bigint;
    nanos: number;
  };
  const nanos = unpacked.seconds * 1_000_000_000n + BigInt(unpacked.nanos);
  return unpacked.$typeName.endsWith("Timestamp") ? new Timestamp(nanos) : new Duration(nanos);
}

function valueOf({ kind }: SpecValue): Value {
  switch (kind.case) {
    case "nullValue":
      return null;
    case "uint64Value":
      return new Uint(kind.value);
    case "listValue":
      return kind.value.values.map(valueOf);
    case "mapValue":
      return new Map(kind.value.entries.map(({ key, value }) => [valueOf(key!), valueOf(value!)]));
    case "typeValue":
      return new TypeValue(kind.value);
    case "objectValue":
      return momentOf(kind.value);
    default:
      return kind.value;
  }
}

/** Strict: an int is not a double of the same size. */
function isEqual({ kind }: SpecValue, got: Value): boolean {
  switch (kind.case) {
    case "nullValue":
      return got === null;
    case "doubleValue":
      return typeof got === "number" && (got === kind.value || Object.is(got, kind.value));
    case "uint64Value":
      return got instanceof Uint && got.value === kind.value;
    case "bytesValue":
      return got instanceof Uint8Array && Buffer.compare(got, kind.value) === 0;
    case "listValue":
      return (
        Array.isArray(got) &&
        got.length === kind.value.values.length &&
        kind.value.values.every((each, index) => isEqual(each, got[index]))
      );
    case "mapValue":
      return got instanceof Map && isEqualMap(kind.value.entries, got as Map<Value, Value>);
    case "typeValue":
      return got instanceof TypeValue && got.name === kind.value;
    case "objectValue": {
      const moment = momentOf(kind.value);
      return got instanceof moment.constructor && (got as Timestamp).nanos === moment.nanos;
    }
    default:
      return got === kind.value;
  }
}

const isEqualMap = (
  entries: readonly { key?: SpecValue; value?: SpecValue }[],
  got: ReadonlyMap<Value, Value>,
): boolean =>
  got.size === entries.length &&
  entries.every(({ key, value }) =>
    [...got].some(([gotKey, gotValue]) => isEqual(key!, gotKey) && isEqual(value!, gotValue)),
  );
