/** Reading descriptors: bounded YAML in, a plain object and the component to act on out. No I/O. */
import { load, YAMLException } from "js-yaml";

import { Failure } from "../../platform/errors/failure.ts";
import type { Problem } from "../../platform/errors/failure.ts";
import { kitLimits } from "./limits.ts";
import type { DescriptorCall, DescriptorKind, JsonObject } from "./protocol.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

export function invalid(message: string, problems: Problem[], input?: string): Failure {
  return new Failure({
    kind: "invalid",
    code: "ADAPTER_INVALID",
    message,
    problems,
    solutions: [...new Set(problems.flatMap((problem) => problem.solution ?? []))],
    ...(input === undefined ? {} : { input: input.slice(0, 2000) }),
  });
}

/**
 * Parses YAML (and so JSON) that comes from outside.
 * @param where names the field in the problem, e.g. `/descriptor`.
 */
export function parseDocument(text: string, where: string): unknown {
  let document: unknown;
  try {
    document = load(text, { maxDepth: kitLimits.descriptorDepth, maxAliases: kitLimits.descriptorAliases });
  } catch (error) {
    const position = error instanceof YAMLException && error.mark ? lineAndColumn(error) : "";
    const reason = error instanceof YAMLException ? error.reason : "it cannot be read";
    throw invalid("The descriptor is not readable YAML.", [
      {
        where,
        message: `${position}${reason}`,
        solution: "Send the descriptor as one YAML or JSON document.",
      },
    ]);
  }
  if (countNodes(document, kitLimits.descriptorNodes) > kitLimits.descriptorNodes) {
    throw invalid("The descriptor is too large.", [
      { where, message: `it expands to more than ${kitLimits.descriptorNodes} nodes` },
    ]);
  }
  return document;
}

function lineAndColumn(error: YAMLException): string {
  return `line ${(error.mark?.line ?? 0) + 1}, column ${(error.mark?.column ?? 0) + 1}: `;
}

/** Aliases share nodes in memory; this counts the nodes of the expanded tree. */
function countNodes(root: unknown, limit: number): number {
  const stack: unknown[] = [root];
  let count = 0;
  while (stack.length > 0 && count <= limit) {
    const node = stack.pop();
    count += 1;
    if (typeof node !== "object" || node === null) continue;
    for (const child of Object.values(node)) stack.push(child);
  }
  return count;
}

/** Parses the `descriptorKind` and `descriptor` of a request and finds the component to act on. */
export function readDescriptor(kind: unknown, descriptor: unknown): DescriptorCall {
  const problems: Problem[] = [];
  const knownKind = readKind(kind, problems);
  if (typeof descriptor !== "string" || descriptor.trim() === "") {
    problems.push({ where: "/descriptor", message: "must be a non-empty string of YAML" });
  } else if (knownKind !== undefined) {
    return selectComponent(knownKind, parseDocument(descriptor, "/descriptor"));
  }
  throw invalid("The request is not one of the adapter protocol.", problems);
}

function readKind(kind: unknown, problems: Problem[]): DescriptorKind | undefined {
  if (kind === "COMPONENT_DESCRIPTOR" || kind === "DATAPRODUCT_DESCRIPTOR") return kind;
  problems.push({
    where: "/descriptorKind",
    message: "is not one of COMPONENT_DESCRIPTOR, DATAPRODUCT_DESCRIPTOR",
  });
  return undefined;
}

/** @param document the parsed descriptor: the unit itself, or `{dataProduct, componentIdToProvision}`. */
export function selectComponent(kind: DescriptorKind, document: unknown): DescriptorCall {
  if (!isRecord(document)) {
    throw invalid("The descriptor is not an object.", [
      { where: "/descriptor", message: "must be a mapping" },
    ]);
  }
  if (kind === "DATAPRODUCT_DESCRIPTOR") return { kind, unit: document, component: undefined, pointer: "" };
  const { dataProduct: unit, componentIdToProvision: id } = document;
  const problems: Problem[] = [];
  if (!isRecord(unit)) problems.push({ where: "/descriptor/dataProduct", message: "must be an object" });
  if (typeof id !== "string" || id === "") {
    problems.push({ where: "/descriptor/componentIdToProvision", message: "must be a component id" });
  } else if (isRecord(unit)) {
    const found = findComponent(unit, id);
    if (found) return { kind, unit, ...found };
    const message = `no component has the id ${id.slice(0, 200)}`;
    problems.push({ where: "/descriptor/componentIdToProvision", message });
  }
  throw invalid("The descriptor names no component to act on.", problems);
}

/** Looks through components and their nested components, in order. URNs compare without regard to case. */
export function findComponent(
  unit: JsonObject,
  id: string,
): { component: JsonObject; pointer: string } | undefined {
  return listComponents(unit).find((entry) => sameUrn(entry.component["id"], id));
}

export const sameUrn = (left: unknown, right: unknown): boolean =>
  typeof left === "string" && typeof right === "string" && left.toLowerCase() === right.toLowerCase();

/** Every component of a unit, nested ones included, each with its JSON pointer. */
export function listComponents(unit: JsonObject): Array<{ component: JsonObject; pointer: string }> {
  const found: Array<{ component: JsonObject; pointer: string }> = [];
  const visit = (parent: JsonObject, pointer: string): void => {
    const components = parent["components"];
    if (!Array.isArray(components)) return;
    components.forEach((component: unknown, index) => {
      if (!isRecord(component)) return;
      found.push({ component, pointer: `${pointer}/components/${index}` });
      visit(component, `${pointer}/components/${index}`);
    });
  };
  visit(unit, "");
  return found;
}

/** `latestEnrichedDescriptor` is optional and only informs; text that cannot be read counts as absent. */
export function readLatest(value: unknown): JsonObject | undefined {
  let document = value;
  if (typeof value === "string" && value.trim() !== "") {
    try {
      document = parseDocument(value, "/latestEnrichedDescriptor");
    } catch {
      return undefined;
    }
  }
  if (!isRecord(document)) return undefined;
  return isRecord(document["dataProduct"]) ? document["dataProduct"] : document;
}
