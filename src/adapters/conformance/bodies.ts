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

export interface Bodies {
  body: (componentId?: string, removeData?: boolean) => JsonObject;
  descriptorText: (componentId?: string, unit?: JsonObject) => string;
}

/** The bodies for a unit and its component under test, with the infos of other components as they become known. */
export function createBodies(
  { unit, componentId: own }: { unit: JsonObject; componentId: string },
  infos: ReadonlyMap<string, InfoParts>,
): Bodies {
  const descriptorText = (componentId = own, of = unit): string =>
    // JSON is YAML too, so this is what the protocol asks for.
    JSON.stringify(
      { dataProduct: withInfos(of, asInfos(infos)), componentIdToProvision: componentId },
      null,
      1,
    );
  const body = (componentId = own, removeData = false): JsonObject => ({
    descriptorKind: "COMPONENT_DESCRIPTOR",
    descriptor: descriptorText(componentId),
    ...(infos.size === 0 ? {} : { latestEnrichedDescriptor: JSON.stringify(enriched(unit, infos)) }),
    removeData,
  });
  return { body, descriptorText };
}

const asInfos = (infos: ReadonlyMap<string, InfoParts>): ReadonlyMap<string, JsonObject> =>
  new Map([...infos].map(([id, info]) => [id, { ...info }]));

/**
 * Enriches the unit as the coordinator does, except for the component under test, so that its calls stay the
 * same.
 */
const enriched = (unit: JsonObject, infos: ReadonlyMap<string, InfoParts>): JsonObject => {
  const latestProvisioningOperation = { operation: "Deploy", status: "Successful" };
  return withInfos(
    unit,
    new Map([...infos].map(([id, info]) => [id, { ...info, latestProvisioningOperation }])),
  );
};
