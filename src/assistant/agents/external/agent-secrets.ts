/**
 * Pure: the secrets of external agents, which are in the query of the address and in the payload. Responses show a mask in
 * their place to users who may not see them; a mask that is sent back keeps the value that is stored at its place.
 */
import { mayBeSecretName } from "../../../platform/lib/secrets/secret-names.ts";
import { maskTexts, unmasked } from "../../masked-values.ts";
import { isSameAddress, maskAddress, unmaskAddress } from "./agent-address.ts";

export interface AgentSecrets {
  endpoint: string;
  payload: Record<string, unknown>;
}

/** What every reader of the agent may see: of the texts of the payload only the protocol. */
export const maskAll = ({ endpoint, payload }: AgentSecrets): AgentSecrets => {
  const { protocol } = payload;
  const shown = maskTexts(payload, "all", mayBeSecretName) as AgentSecrets["payload"];
  return {
    endpoint: maskAddress(endpoint),
    payload: typeof protocol === "string" ? { ...shown, protocol } : shown,
  };
};

/** For exports: masks each value that has the name or the form of a secret. */
export const maskNamed = ({ endpoint, payload }: AgentSecrets): AgentSecrets => ({
  endpoint: maskAddress(endpoint),
  payload: maskTexts(payload, "named", mayBeSecretName) as AgentSecrets["payload"],
});

/** Paths of the secrets in a payload. */
export const secretPlaces = (payload: AgentSecrets["payload"]): string[][] =>
  unmasked(maskNamed({ endpoint: "", payload }).payload, undefined).unknown;

export interface Given {
  endpoint?: string | null | undefined;
  payload?: object | null | undefined;
}

export interface Completed {
  whole: AgentSecrets;
  /** Paths of missing secrets, and why they are missing. */
  missing: { path: string[]; message: string }[];
}

/**
 * Completes a change with stored values, for masks and for fields that are left out. A stored secret is only ever used for the
 * address that it was given for: with another address all secrets are missing.
 */
export function complete(given: Given, stored: AgentSecrets | null): Completed {
  const missing: Completed["missing"] = [];
  const isSame =
    stored !== null && (given.endpoint == null || isSameAddress(given.endpoint, stored.endpoint));
  const why = stored === null || isSame ? "is a mask without a stored value" : movedAway;
  const endpoint = unmaskAddress(given.endpoint ?? stored?.endpoint ?? "", isSame ? stored.endpoint : "");
  if (endpoint === null) missing.push({ path: ["endpoint"], message: why });
  const payload = unmasked(given.payload ?? stored?.payload ?? {}, isSame ? stored.payload : undefined);
  const unknown = given.payload == null && !isSame && stored ? secretPlaces(stored.payload) : payload.unknown;
  for (const place of unknown) missing.push({ path: ["payload", ...place], message: why });
  return { whole: { endpoint: endpoint ?? "", payload: payload.value as AgentSecrets["payload"] }, missing };
}

const movedAway = "must be given again: what is stored was given for another address";
