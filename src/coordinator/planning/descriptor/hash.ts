import { hash } from "node:crypto";
import type { DescriptorObject } from "./unit.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

/**
 * Canonical SHA-256 (hex) of a component with its subcomponents. The order of keys is ignored, the order of
 * lists is not. `info`, which adapters fill, is left out of the component and each subcomponent, but not of
 * nested user content. Stored hashes are compared with new ones, so the algorithm must not change.
 */
export function hashComponent(descriptor: DescriptorObject): string {
  return hash("sha256", writeOwned(descriptor, writeNested));
}

/** The same for the unit itself, without its components, which have hashes of their own. */
export function hashRoot(descriptor: DescriptorObject): string {
  return hash("sha256", writeOwned(descriptor, undefined));
}

/** The same for any JSON value; nothing is left out. */
export function hashValue(value: unknown): string {
  return hash("sha256", write(value));
}

// The canonical text is not JSON: strings are prefixed with their length, which is unambiguous without
// escaping. Recursion is safe because `checkContent` limits the depth of every accepted descriptor.

type WriteNested = (list: unknown) => string;

function writeOwned(descriptor: DescriptorObject, nested: WriteNested | undefined): string {
  let text = "{";
  for (const key of sortedKeys(descriptor)) {
    if (key === "info") continue;
    const value = descriptor[key];
    if (value === undefined) continue;
    if (key === "components") {
      if (nested !== undefined) text += "10:components" + nested(value);
    } else text += key.length + ":" + key + write(value);
  }
  return text + "}";
}

function writeNested(list: unknown): string {
  if (!Array.isArray(list)) return write(list);
  let text = "[";
  for (const item of list) text += isRecord(item) ? writeOwned(item, writeNested) : write(item);
  return text + "]";
}

function write(value: unknown): string {
  if (typeof value === "string") return '"' + value.length + ":" + value;
  if (Array.isArray(value)) return writeList(value);
  if (isRecord(value)) return writeMap(value);
  if (typeof value === "boolean") return value ? "+" : "-";
  // Minus zero is written as zero, and undefined inside a list as null, as JSON does.
  return typeof value === "number" ? "#" + value + ";" : "~";
}

function writeList(list: unknown[]): string {
  let text = "[";
  for (let index = 0; index < list.length; index += 1) text += write(list[index]);
  return text + "]";
}

function writeMap(map: DescriptorObject): string {
  let text = "{";
  for (const key of sortedKeys(map)) {
    const value = map[key];
    if (value !== undefined) text += key.length + ":" + key + write(value);
  }
  return text + "}";
}

/** Insertion sort: maps in descriptors are small and mostly written in the same order. */
function sortedKeys(map: DescriptorObject): string[] {
  const keys = Object.keys(map);
  if (keys.length > 32) return keys.sort();
  for (let end = 1; end < keys.length; end += 1) {
    const key = keys[end]!;
    let place = end - 1;
    while (place >= 0 && keys[place]! > key) {
      keys[place + 1] = keys[place]!;
      place -= 1;
    }
    keys[place + 1] = key;
  }
  return keys;
}
