/** Pure: where the secrets of a model go. */
import { providerOf } from "./providers.ts";

export interface Destination {
  provider: string;
  /** Empty for the provider's own. */
  endpoint: string;
  deployment: string;
}

/** Whether what is sent by one configuration and by the other reaches the same. Spellings of one address are the same. */
export const isSameDestination = (one: Destination, other: Destination): boolean =>
  providerOf(one.provider) === providerOf(other.provider) &&
  normalizedAddress(one.endpoint) === normalizedAddress(other.endpoint) &&
  one.deployment.trim() === other.deployment.trim();

/** A text that is no address is none of the others. */
function normalizedAddress(text: string): string {
  const url = URL.parse(text.trim());
  return url === null ? text.trim() : `${url.origin}${url.pathname.replace(/\/+$/, "")}${url.search}`;
}
