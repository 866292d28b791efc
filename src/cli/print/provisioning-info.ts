/** Pure. The provisioning info of an adapter as `name value` pairs. */
import { oneLine } from "./text.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

/** Adapters return plain values, or `{type, label, value}` for user interfaces. */
export function provisioningLines(info: unknown): string[] {
  if (!isRecord(info)) return info === undefined || info === null ? [] : [oneLine(show(info))];
  return Object.entries(info).flatMap(([name, value]) => {
    if (!isRecord(value) || !("value" in value)) return [`${oneLine(name)} ${oneLine(show(value))}`];
    const label = typeof value["label"] === "string" ? value["label"] : name;
    return [`${oneLine(label)} ${oneLine(show(value["value"]))}`];
  });
}

/** The plain value of one entry, whichever form it has. */
export function provisioned(info: unknown, name: string): string | undefined {
  if (!isRecord(info)) return undefined;
  const entry = info[name];
  const value = isRecord(entry) && "value" in entry ? entry["value"] : entry;
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

const show = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
