/**
 * Pure: the secrets of external agents. Those stand in the query of the address and in the payload; a mask stands for them
 * wherever not everybody may see them, and a mask that is sent back stands for what is stored at the same place.
 */
import { mayBeSecretName } from "../../platform/lib/secret-names.ts";
import { maskTexts, unmasked } from "../masked-values.ts";
import { isSameAddress, maskAddress, unmaskAddress } from "./agent-address.ts";

export interface AgentSecrets {
  endpoint: string;
  payload: Record<string, unknown>;
}

/** What everybody may see, who may see the agent: of the texts of the payload only the protocol. */
export const maskAll = ({ endpoint, payload }: AgentSecrets): AgentSecrets => {
  const { protocol } = payload;
  const shown = maskTexts(payload, "all", mayBeSecretName) as AgentSecrets["payload"];
  return {
    endpoint: maskAddress(endpoint),
    payload: typeof protocol === "string" ? { ...shown, protocol } : shown,
  };
};

/** For exports: masks each value whose name or form is that of a secret. */
export const maskNamed = ({ endpoint, payload }: AgentSecrets): AgentSecrets => ({
  endpoint: maskAddress(endpoint),
  payload: maskTexts(payload, "named", mayBeSecretName) as AgentSecrets["payload"],
});

/** Places of a payload where secrets stand. */
export const secretPlaces = (payload: AgentSecrets["payload"]): string[][] =>
  unmasked(maskNamed({ endpoint: "", payload }).payload, undefined).unknown;

export interface Given {
  endpoint?: string | null | undefined;
  payload?: object | null | undefined;
}

export interface Completed {
  whole: AgentSecrets;
  /** Where a secret is missing, and why. */
  missing: { path: string[]; message: string }[];
}

/**
 * A change with what is stored in the place of masks and of what is left out. A stored secret goes nowhere but to the
 * address that it was given for: at another one all of them are missing.
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
