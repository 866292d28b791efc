/** Calls of functions: which of several variants of a function fits, by what is known of the types and then by the values. */
import { CelError, typeNameOf, type TypeName, type Value } from "./values.ts";

/** What is known of a type before an evaluation. */
export type StaticType = TypeName | "dyn";

/** The variables of one evaluation, by slot. */
export type Frame = Value[];
export type Run = (frame: Frame) => Value;

export interface Node {
  type: StaticType;
  run: Run;
}

export interface Variant {
  /** A method's receiver is its first parameter. */
  params: readonly StaticType[];
  result: StaticType;
  run: (...args: Value[]) => Value;
  /** Takes any number of arguments, as one list. */
  isVariadic?: true;
}

export const isCompatible = (wanted: StaticType, given: StaticType): boolean =>
  wanted === "dyn" || given === "dyn" || wanted === given;

const accepts = (wanted: StaticType, value: Value): boolean =>
  wanted === "dyn" || typeNameOf(value) === wanted;

/** Undefined where no variant fits the types. */
export function callOf(variants: readonly Variant[], args: readonly Node[], shown: string): Node | undefined {
  const variadic = variants.find(({ isVariadic }) => isVariadic);
  if (variadic)
    return { type: variadic.result, run: (frame) => variadic.run(args.map(({ run }) => run(frame))) };
  const fitting = variants.filter(
    ({ params }) =>
      params.length === args.length && params.every((param, index) => isCompatible(param, args[index]!.type)),
  );
  if (fitting.length === 0) return undefined;
  const types = new Set(fitting.map(({ result }) => result));
  return { type: types.size === 1 ? fitting[0]!.result : "dyn", run: runOf(fitting, args, shown) };
}

function runOf(variants: readonly Variant[], args: readonly Node[], shown: string): Run {
  const [first, second] = args;
  if (first !== undefined && args.length === 1) return runOfOne(variants, first.run, shown);
  if (first !== undefined && second !== undefined && args.length === 2)
    return runOfTwo(variants, [first.run, second.run], shown);
  return (frame) => {
    const values = args.map(({ run }) => run(frame));
    const variant = variants.find(({ params }) => params.every((param, n) => accepts(param, values[n])));
    if (variant === undefined) throw noVariant(shown, values);
    return variant.run(...values);
  };
}

function runOfOne(variants: readonly Variant[], arg: Run, shown: string): Run {
  return (frame) => {
    const value = arg(frame);
    for (const { params, run } of variants) if (accepts(params[0]!, value)) return run(value);
    throw noVariant(shown, [value]);
  };
}

function runOfTwo(variants: readonly Variant[], [left, right]: readonly [Run, Run], shown: string): Run {
  return (frame) => {
    const first = left(frame);
    const second = right(frame);
    for (const { params, run } of variants)
      if (accepts(params[0]!, first) && accepts(params[1]!, second)) return run(first, second);
    throw noVariant(shown, [first, second]);
  };
}

const noVariant = (shown: string, values: readonly Value[]): CelError =>
  new CelError(noVariantText(shown, values.map(typeNameOf)));

/** For example `There is no size(int)`; a name that begins with a dot is a method's. */
export const noVariantText = (shown: string, types: readonly string[]): string =>
  shown.startsWith(".")
    ? `There is no ${types[0]}${shown}(${types.slice(1).join(", ")})`
    : `There is no ${shown}(${types.join(", ")})`;
