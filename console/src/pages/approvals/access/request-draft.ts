/** Pure: what the form for access requests has so far, and the request that it makes. */
import type { NewAccessRequest } from "../../../api/access-requests/requester.ts";
import type { FormField } from "./template-form.ts";

export interface Draft {
  ports: string[];
  identities: string[];
  templateRef: string | null;
  /** Of the template's form, by the names of its fields. */
  values: Record<string, unknown>;
  reason: string;
}

/** By the name of the field. */
export type Faults = Record<string, string>;

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === "" || (Array.isArray(value) && value.length === 0);

export const faultsOf = (
  draft: Draft,
  { unit, fields }: { unit: string; fields: readonly FormField[] },
): Faults => {
  const faults: Faults = {};
  if (unit === "") faults["unit"] = "Choose a unit.";
  if (draft.ports.length === 0) faults["ports"] = "Choose what access is asked for.";
  if (draft.identities.length === 0) faults["identities"] = "Say for whom.";
  const odd = draft.identities.find((identity) => !/^(?:user|group):\S+$/i.test(identity));
  if (odd !== undefined) faults["identities"] = `Write ${odd} as user:name or group:name.`;
  for (const { name, isRequired, kind, initial } of fields) {
    const value = draft.values[name] ?? initial;
    if (isRequired && isEmpty(value)) faults[name] = "This is needed.";
    else if (kind === "json" && typeof value === "string" && parsed(value) === undefined)
      faults[name] = "This is not JSON.";
  }
  return faults;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

export interface Asked {
  operation: "GRANT" | "REVOKE";
  deploymentUnitId: string;
  environment: string;
  fields: readonly FormField[];
}

export const bodyOf = (draft: Draft, { fields, ...asked }: Asked): NewAccessRequest => {
  const values = Object.fromEntries(
    fields.flatMap(({ name, kind, initial }) => {
      const value = draft.values[name] ?? initial;
      if (isEmpty(value)) return [];
      return [[name, kind === "json" && typeof value === "string" ? parsed(value) : value]];
    }),
  );
  const reason = typeof values["reason"] === "string" ? values["reason"] : draft.reason.trim();
  return {
    ...asked,
    outputPortUrns: draft.ports,
    identities: draft.identities,
    ...(reason !== "" && { reason }),
    ...(draft.templateRef !== null && { templateRef: draft.templateRef }),
    ...(Object.keys(values).length > 0 && { accessControlFields: values }),
  };
};
