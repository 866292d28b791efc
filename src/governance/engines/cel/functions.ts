/** Every function of expressions, by name. */
import type { Variant } from "./calls.ts";
import { conversions } from "./functions/conversions.ts";
import type { FunctionList } from "./functions/define.ts";
import { lists } from "./functions/lists.ts";
import { maths } from "./functions/maths.ts";
import { optionals } from "./functions/optionals.ts";
import { strings } from "./functions/strings.ts";
import { times } from "./functions/times.ts";

const all: readonly FunctionList[] = [conversions, lists, maths, optionals, strings, times];

const functions: ReadonlyMap<string, readonly Variant[]> = new Map(
  Object.entries(Object.groupBy(all.flat(), ([name]) => name)).map(([name, variants = []]) => [
    name,
    variants.map(([, variant]) => variant),
  ]),
);

/** The variants of a function; the name of a method begins with a dot. */
export const functionsOf = (name: string): readonly Variant[] => functions.get(name) ?? [];
