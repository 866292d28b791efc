/** How the lists of functions are written. */
import type { StaticType, Variant } from "../calls.ts";
import type { Value } from "../values.ts";

export type FunctionList = readonly (readonly [name: string, variant: Variant])[];

/**
 * A function as `name(type, type): type`, or a method as `type.name(type): type`; its arguments have these types when it runs.
 * A receiver whose type is also the name of a group of functions stands in brackets.
 * @throws for a text of another form: a mistake of this program.
 */
export function define(signature: string, run: (...args: never[]) => Value): readonly [string, Variant] {
  const match =
    /^(?:(?<receiver>\(?[a-z0-9]+\)?)\.)?(?<name>[\w.]+)\((?<params>.*)\): (?<result>[a-z]+)$/.exec(
      signature,
    );
  if (match === null) throw new Error(`${signature} is not a signature`);
  const { receiver: group, name, params, result } = match.groups!;
  const receiver = group?.replace(/^\((.*)\)$/, "$1");
  const isMethod = receiver !== undefined && !namespaces.has(group!);
  const types = [...(isMethod ? [receiver] : []), ...params!.split(", ").filter((param) => param !== "")];
  const fullName =
    receiver === undefined || isMethod ? `${isMethod ? "." : ""}${name}` : `${receiver}.${name}`;
  return [
    fullName,
    { params: types as StaticType[], result: result as StaticType, run: run as Variant["run"] },
  ];
}

const namespaces: ReadonlySet<string> = new Set(["base64", "lists", "math", "optional", "strings"]);

/** A function of any number of arguments, which it gets as one list. */
export const variadic = (
  name: string,
  result: StaticType,
  run: (values: readonly Value[]) => Value,
): readonly [string, Variant] => [
  name,
  { params: [], result, isVariadic: true, run: (values) => run(values as Value[]) },
];
