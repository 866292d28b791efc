/** Calls whose arguments are not all evaluated once: loops over lists and maps, `has`, `cel.bind`, and maps of optionals. */
import { hasField } from "./access.ts";
import type { Frame, Node, Run, StaticType } from "./calls.ts";
import { booleanOf, type Compiler, type Scope } from "./compiler.ts";
import { addEntry, entriesOf, keysOf } from "./maps.ts";
import { CelSyntaxError, type Expr, type ExprOf } from "./syntax/expr.ts";
import { CelError, none, Optional, optionalOf, typeNameOf, type Value } from "./values.ts";

type Macro = (compiler: Compiler, scope: Scope, call: ExprOf<"call">) => Node;

/** By name and number of arguments; a leading dot stands for a receiver. */
const macros: Readonly<Record<string, Macro>> = {
  "has/1": compileHas,
  "cel.bind/3": compileBind,
  ".optMap/2": (...given) => compileOptional(...given, (value) => optionalOf(value)),
  ".optFlatMap/2": (...given) => compileOptional(...given, optionalOnly),
  ".all/2": (...given) => compileQuantifier(...given, { variables: 1, deciding: false }),
  ".all/3": (...given) => compileQuantifier(...given, { variables: 2, deciding: false }),
  ".exists/2": (...given) => compileQuantifier(...given, { variables: 1, deciding: true }),
  ".exists/3": (...given) => compileQuantifier(...given, { variables: 2, deciding: true }),
  ".exists_one/2": (...given) => compileExistsOne(...given, 1),
  ".exists_one/3": (...given) => compileExistsOne(...given, 2),
  ".existsOne/2": (...given) => compileExistsOne(...given, 1),
  ".existsOne/3": (...given) => compileExistsOne(...given, 2),
  ".filter/2": compileFilter,
  ".map/2": (...given) => compileList(...given, 1),
  ".map/3": (...given) => compileList(...given, 1),
  ".transformList/3": (...given) => compileList(...given, 2),
  ".transformList/4": (...given) => compileList(...given, 2),
  ".transformMap/3": compileTransformMap,
  ".transformMap/4": compileTransformMap,
  ".transformMapEntry/3": compileTransformMapEntry,
  ".transformMapEntry/4": compileTransformMapEntry,
};

export function macroOf({ name, target, args }: ExprOf<"call">): Macro | undefined {
  const named = (key: string): Macro | undefined => (Object.hasOwn(macros, key) ? macros[key] : undefined);
  if (target === undefined) return named(`${name}/${args.length}`);
  if (target.kind === "name" && target.name === "cel") return named(`cel.${name}/${args.length}`);
  return named(`.${name}/${args.length}`);
}

function compileHas(compiler: Compiler, scope: Scope, { args: [selected] }: ExprOf<"call">): Node {
  if (selected?.kind !== "select")
    throw new CelSyntaxError("has() needs a field, as in has(resource.name)", selected!.start);
  const { run } = compiler.compile(scope, selected.operand);
  const { field } = selected;
  return { type: "bool", run: (frame) => hasField(run(frame), field) };
}

function compileBind(compiler: Compiler, scope: Scope, { args: [name, value, body] }: ExprOf<"call">): Node {
  const bound = compiler.compile(scope, value!);
  const { inner, slots } = withVariables(compiler, scope, [name!], bound.type);
  const { type, run } = compiler.compile(inner, body!);
  return {
    type,
    run: (frame) => {
      frame[slots[0]!] = bound.run(frame);
      return run(frame);
    },
  };
}

function compileOptional(
  compiler: Compiler,
  scope: Scope,
  { target, args: [name, body] }: ExprOf<"call">,
  wrap: (value: Value) => Value,
): Node {
  const { run } = compiler.compile(scope, target!);
  const { inner, slots } = withVariables(compiler, scope, [name!]);
  const { run: mapped } = compiler.compile(inner, body!);
  return {
    type: "optional",
    run: (frame) => {
      const optional = optionalOnly(run(frame));
      if (!optional.isPresent) return none;
      frame[slots[0]!] = optional.content;
      return wrap(mapped(frame));
    },
  };
}

function optionalOnly(value: Value): Optional {
  if (value instanceof Optional) return value;
  throw new CelError(`It needs an optional value, not a ${typeNameOf(value)}`);
}

/** Each variable gets a slot of its own in the frame. */
function withVariables(
  compiler: Compiler,
  scope: Scope,
  variables: readonly Expr[],
  type: StaticType = "dyn",
): { inner: Scope; slots: readonly number[] } {
  const names = new Map<string, { slot: number; type: StaticType }>();
  for (const variable of variables) {
    if (variable.kind !== "name")
      throw new CelSyntaxError("The name of a variable is expected here", variable.start);
    if (names.has(variable.name))
      throw new CelSyntaxError(`There are two variables ${variable.name}`, variable.start);
    names.set(variable.name, { slot: compiler.slots++, type });
  }
  return { inner: { names, outer: scope }, slots: [...names.values()].map(({ slot }) => slot) };
}

interface Loop {
  /** Calls `visit` with the variables set, until it answers true. */
  over: (frame: Frame, visit: (frame: Frame) => boolean) => void;
  /** Slot of the first variable. */
  first: number;
  /** The arguments after the variables. */
  rest: readonly Node[];
}

function loopOf(compiler: Compiler, scope: Scope, call: ExprOf<"call">, variables: 1 | 2): Loop {
  const range = compiler.compile(scope, call.target!);
  if (compiler.refusesUnknown && !["dyn", "list", "map"].includes(range.type))
    throw new CelSyntaxError(`${call.name}() needs a list or a map, not a ${range.type}`, call.target!.start);
  const { inner, slots } = withVariables(compiler, scope, call.args.slice(0, variables));
  const rest = call.args.slice(variables).map((arg) => compiler.compile(inner, arg));
  const [first, second] = slots as [number, number?];
  const over = second === undefined ? overItems(range.run, first) : overPairs(range.run, first, second);
  return { over, first, rest };
}

const overItems =
  (range: Run, slot: number): Loop["over"] =>
  (frame, visit) => {
    for (const item of itemsOf(range(frame))) {
      frame[slot] = item;
      if (visit(frame)) return;
    }
  };

const overPairs =
  (range: Run, first: number, second: number): Loop["over"] =>
  (frame, visit) => {
    for (const [key, value] of pairsOf(range(frame))) {
      frame[first] = key;
      frame[second] = value;
      if (visit(frame)) return;
    }
  };

function itemsOf(range: Value): readonly Value[] {
  if (Array.isArray(range)) return range as Value[];
  if (typeNameOf(range) === "map") return keysOf(range as object);
  throw new CelError(`A ${typeNameOf(range)} is neither a list nor a map`);
}

function pairsOf(range: Value): readonly (readonly [Value, Value])[] {
  if (Array.isArray(range)) return range.map((item: Value, index) => [BigInt(index), item] as const);
  if (typeNameOf(range) === "map") return entriesOf(range as object);
  throw new CelError(`A ${typeNameOf(range)} is neither a list nor a map`);
}

const runOf = ({ rest }: Loop, index: number): Run => rest[index]!.run;

/** The predicate that decides ends it, also where it failed for an earlier item. */
function compileQuantifier(
  compiler: Compiler,
  scope: Scope,
  call: ExprOf<"call">,
  { variables, deciding }: { variables: 1 | 2; deciding: boolean },
): Node {
  const loop = loopOf(compiler, scope, call, variables);
  const predicate = runOf(loop, 0);
  return {
    type: "bool",
    run: (frame) => {
      let failure: CelError | undefined;
      let isDecided = false;
      loop.over(frame, () => {
        try {
          isDecided = booleanOf(predicate(frame), call.name) === deciding;
        } catch (error) {
          if (!(error instanceof CelError)) throw error;
          failure = error;
        }
        return isDecided;
      });
      if (isDecided) return deciding;
      if (failure) throw failure;
      return !deciding;
    },
  };
}

function compileExistsOne(compiler: Compiler, scope: Scope, call: ExprOf<"call">, variables: 1 | 2): Node {
  const loop = loopOf(compiler, scope, call, variables);
  const predicate = runOf(loop, 0);
  return {
    type: "bool",
    run: (frame) => {
      let count = 0;
      loop.over(frame, () => {
        if (booleanOf(predicate(frame), call.name)) count += 1;
        return false;
      });
      return count === 1;
    },
  };
}

function compileFilter(compiler: Compiler, scope: Scope, call: ExprOf<"call">): Node {
  const range = compiler.compile(scope, call.target!);
  const { inner, slots } = withVariables(compiler, scope, call.args.slice(0, 1));
  const { run: predicate } = compiler.compile(inner, call.args[1]!);
  const slot = slots[0]!;
  return {
    type: "list",
    run: (frame) =>
      itemsOf(range.run(frame)).filter((item) => {
        frame[slot] = item;
        return booleanOf(predicate(frame), "filter");
      }),
  };
}

/** `(…, value)` or `(…, filter, value)`. */
function transformOf({ rest }: Loop): { isWanted: Run; value: Run } {
  const [first, second] = rest;
  return second === undefined
    ? { isWanted: () => true, value: first!.run }
    : { isWanted: first!.run, value: second.run };
}

function compileList(compiler: Compiler, scope: Scope, call: ExprOf<"call">, variables: 1 | 2): Node {
  const loop = loopOf(compiler, scope, call, variables);
  const { isWanted, value } = transformOf(loop);
  return {
    type: "list",
    run: (frame) => {
      const list: Value[] = [];
      loop.over(frame, () => {
        if (booleanOf(isWanted(frame), call.name)) list.push(value(frame));
        return false;
      });
      return list;
    },
  };
}

function compileTransformMap(compiler: Compiler, scope: Scope, call: ExprOf<"call">): Node {
  const loop = loopOf(compiler, scope, call, 2);
  const { isWanted, value } = transformOf(loop);
  return mapOf(loop, (frame, map) => {
    if (booleanOf(isWanted(frame), call.name)) addEntry(map, frame[loop.first], value(frame));
  });
}

function compileTransformMapEntry(compiler: Compiler, scope: Scope, call: ExprOf<"call">): Node {
  const loop = loopOf(compiler, scope, call, 2);
  const { isWanted, value } = transformOf(loop);
  return mapOf(loop, (frame, map) => {
    if (!booleanOf(isWanted(frame), call.name)) return;
    const entry = value(frame);
    if (typeNameOf(entry) !== "map") throw new CelError("transformMapEntry() needs a map of one entry");
    for (const [key, content] of entriesOf(entry as object)) addEntry(map, key, content);
  });
}

const mapOf = (loop: Loop, visit: (frame: Frame, map: Map<Value, Value>) => void): Node => ({
  type: "map",
  run: (frame) => {
    const map = new Map<Value, Value>();
    loop.over(frame, () => {
      visit(frame, map);
      return false;
    });
    return map;
  },
});
