/** What a name of the sources stands for: a constant, a list that is added to, a parameter. */
import { callsOf, findBinding, functionAround, textOf, walk } from "./sources.ts";
import type { Binding, Node } from "./sources.ts";
import { choiceOf, emptyScope, fieldOf, holdsSql, itemAt, nothing, value } from "./values.ts";
import type { Scope, State, Value } from "./values.ts";

/** Calls within calls that are followed. */
export const deepest = 40;

export function evaluateName(state: State, node: Node, scope: Scope): Value {
  const binding = findBinding(state.project, node.name, node);
  if (binding === undefined) return node.name === "undefined" ? nothing : value;
  if (binding.is === "function") return { is: "function", node: binding.node, scope };
  if (binding.is === "variable") return evaluateVariable(state, binding, scope);
  if (binding.is === "parameter") return evaluateParameter(state, binding, scope);
  return value;
}

function evaluateVariable(
  state: State,
  { declarator, pattern }: Extract<Binding, { is: "variable" }>,
  scope: Scope,
): Value {
  const loop = declarator.parent?.parent;
  if (declarator.init === null) {
    if (loop?.type !== "ForOfStatement") return value;
    const list = state.evaluate(state, loop.right, scope);
    if (list.is !== "list") return value;
    const item: Value = { is: "choice", key: textOf(loop.left), options: list.items };
    return pick(state, item, { root: declarator.id, pattern }, scope);
  }
  const init = state.evaluate(state, declarator.init, scope);
  if (declarator.id !== pattern) return pick(state, init, { root: declarator.id, pattern }, scope);
  const typed: Node | undefined = pattern.typeAnnotation?.typeAnnotation;
  if (init.is === "value") return { is: "value", type: init.type ?? typed };
  return init.is === "list" ? { is: "list", items: [...init.items, ...pushed(state, pattern, scope)] } : init;
}

/** What is pushed to a list on the way from its declaration, each under the condition that it stands below. */
function pushed(state: State, declared: Node, scope: Scope): Value[] {
  const home = functionAround(declared) ?? state.project.programOf(declared.file.path);
  return [...walk(home)]
    .filter((node) => node.type === "CallExpression" && node.callee.property?.name === "push")
    .filter((node) => node.callee.object.name === declared.name)
    .flatMap((node) => {
      const test = conditionAround(node, home);
      return (node.arguments as Node[])
        .map((each) => state.evaluate(state, each, scope))
        .map((item) => (test === undefined ? item : choiceOf(test, item, nothing)));
    });
}

function conditionAround(node: Node, home: Node | undefined): Node | undefined {
  for (let each = node.parent; each !== null && each !== home; each = each.parent)
    if (each.type === "IfStatement") return each.test;
  return undefined;
}

/** The part of a value that a pattern binds to a name. */
function pick(state: State, whole: Value, at: { root: Node; pattern: Node }, scope: Scope): Value {
  const path: Node[] = [];
  for (let each: Node | null = at.pattern; each !== null && each !== at.root.parent; each = each.parent)
    path.unshift(each);
  let found = whole;
  for (const step of path) {
    if (step.type === "Property") found = fieldOf(state, found, step.key.name ?? step.key.value);
    if (step.type === "AssignmentPattern" && found.is === "nothing")
      found = state.evaluate(state, step.right, scope);
    if (step.type === "AssignmentPattern" && found.is === "value") {
      // A parameter, unless the default is a fragment, as in `parts = []`.
      const fallback = state.evaluate(state, step.right, scope);
      if (holdsSql(fallback)) found = fallback;
    }
    if (step.parent?.type === "ArrayPattern" && step.parent !== at.root.parent) {
      found = itemAt(found, step.parent.elements.indexOf(step));
    }
  }
  return found;
}

function evaluateParameter(
  state: State,
  { owner, index, pattern }: Extract<Binding, { is: "parameter" }>,
  scope: Scope,
): Value {
  const root: Node = owner.params[index];
  const args = scope.get(owner);
  if (args !== undefined) return pick(state, args[index] ?? nothing, { root, pattern }, scope);
  const typed: Node | undefined = (root.left ?? root).typeAnnotation?.typeAnnotation;
  const declared = pick(state, { is: "value", type: typed }, { root, pattern }, scope);
  if (declared.is !== "value" || declared.type === undefined || !isSqlType(state, declared.type))
    return declared;
  return pickOfCallers(state, { owner, index }, (each) => pick(state, each, { root, pattern }, emptyScope));
}

const isSqlType = (state: State, type: Node): boolean => {
  if (/\bSql\b|\btypeof sql\b/.test(textOf(type))) return true;
  const name: string | undefined = type.typeName?.name ?? type.elementType?.typeName?.name;
  const binding = name === undefined ? undefined : findBinding(state.project, name, type);
  return (
    binding?.is === "type" &&
    binding.node.type === "TSTypeAliasDeclaration" &&
    /^Sql\b/.test(textOf(binding.node.typeAnnotation))
  );
};

/** A fragment that a function is given: all that its callers give it. */
function pickOfCallers(
  state: State,
  { owner, index }: { owner: Node; index: number },
  take: (argument: Value) => Value,
): Value {
  const name: string | undefined = owner.id?.name ?? owner.parent?.id?.name ?? owner.parent?.key?.name;
  if (name === undefined || state.stack.length > deepest || state.stack.includes(owner)) return value;
  state.stack.push(owner);
  const calls = callsOf(state.project, name).filter(({ callee }) => {
    if (callee.type !== "Identifier") return owner.parent?.type === "Property";
    const binding = findBinding(state.project, name, callee);
    return binding?.is === "function"
      ? binding.node === owner
      : binding?.is === "variable" && binding.declarator.init === owner;
  });
  const options = calls.flatMap(({ arguments: given }) => {
    const argument: Node | undefined = given[index];
    return [take(argument === undefined ? nothing : state.evaluate(state, argument, emptyScope))];
  });
  state.stack.pop();
  if (options.length === 0) return value;
  return options.length === 1 ? (options[0] ?? value) : { is: "choice", key: `callers of ${name}`, options };
}
