/**
 * Pure. Compares the updates of a reverse provisioning with a deployed component descriptor.
 *
 * Updates are named by fields of the entity (`spec.mesh.dataContract.schema`); what is below `spec.mesh`
 * there stands at the top of the component descriptor. Each replaces the whole field, so a difference is what
 * applying it would change.
 */
import { escapeKey } from "../../../platform/lib/json-pointer.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";
export const maxPointers = 100;

export function driftPointers(updates: Record<string, unknown>, descriptor: object): string[] {
  const found: string[] = [];
  for (const [name, live] of Object.entries(updates)) {
    const path = name.replace(/^spec\.mesh\./, "").split(".");
    let known: unknown = descriptor;
    for (const part of path) known = isRecord(known) ? ownValue(known, part) : undefined;
    compare(live, known, { at: path.map(pointerPart).join(""), found });
  }
  return [...new Set(found)].slice(0, maxPointers);
}

interface Place {
  at: string;
  found: string[];
}

/** Absent and null are equal: adapters use either. */
function compare(live: unknown, known: unknown, { at, found }: Place): void {
  if (found.length >= maxPointers || (live ?? null) === (known ?? null)) return;
  if (Array.isArray(live) && Array.isArray(known)) {
    const length = Math.max(live.length, known.length);
    for (let index = 0; index < length; index++)
      compare(live[index], known[index], { at: `${at}/${index}`, found });
  } else if (isRecord(live) && isRecord(known)) {
    for (const key of new Set([...Object.keys(known), ...Object.keys(live)]))
      compare(ownValue(live, key), ownValue(known, key), { at: at + pointerPart(key), found });
  } else found.push(at);
}

const ownValue = (object: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined;

const pointerPart = (key: string): string => `/${escapeKey(key)}`;
