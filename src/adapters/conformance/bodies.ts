/** Pure. The request bodies of the checks, as the coordinator would send them. */
import type { JsonObject } from "../kit/protocol.ts";
import type { StatusReport } from "./shapes.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

export interface InfoParts {
  publicInfo: JsonObject;
  privateInfo: JsonObject;
}

/** Both parts; `{}` for one that the adapter has not returned. */
export function infoParts(info: unknown): InfoParts {
  const found = isRecord(info) ? info : {};
  const part = (name: keyof InfoParts): JsonObject => (isRecord(found[name]) ? found[name] : {});
  return { publicInfo: part("publicInfo"), privateInfo: part("privateInfo") };
}

/** `provisionInfo.result` of a change of access: the status that the provisioning ended with, as JSON text. */
export const endedStatus = (report: StatusReport | undefined): string =>
  JSON.stringify({ status: "COMPLETED", result: report?.result ?? "", info: infoParts(report?.info) });

/** The unit with the known info of its components, by id, in their entries. */
export function withInfos(unit: JsonObject, infos: ReadonlyMap<string, JsonObject>): JsonObject {
  const { components } = unit;
  if (infos.size === 0 || !Array.isArray(components)) return unit;
  const listed = components.map((component: unknown) => {
    if (!isRecord(component)) return component;
    const info = typeof component["id"] === "string" ? infos.get(component["id"]) : undefined;
    return { ...withInfos(component, infos), ...(info === undefined ? {} : { info }) };
  });
  return { ...unit, components: listed };
}
