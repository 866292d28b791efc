/**
 * Calls of external services at the end of a plan. No function throws for what a service or the network does.
 */
import type { Fault, Refused, Notified } from "./answers.ts";
import { ask, createSend, type AdapterBody, type AdapterCall, type Route } from "./client.ts";
import { interpretNotice } from "./interpret.ts";
import type { Outbound } from "../../../platform/outbound/outbound.ts";

export interface ServiceClient {
  /** POST to the call's URL. `serviceId` selects the secret that signs the call. */
  notify(call: AdapterCall, serviceId: string, body: AdapterBody): Promise<Notified | Refused | Fault>;
}

export interface ServiceClientOptions {
  outbound: Outbound;
  now: () => Date;
  /** The secret of a service now; calls of those without one carry no Authorization. */
  secretOf: (serviceId: string) => string | undefined;
}

export function createServiceClient({ outbound, now, secretOf }: ServiceClientOptions): ServiceClient {
  const senders = new Map<string, ReturnType<typeof createSend>>();
  const senderOf = (id: string): ReturnType<typeof createSend> => {
    const known = senders.get(id);
    if (known !== undefined) return known;
    const made = createSend({ outbound, now, secrets: () => [secretOf(id)] });
    senders.set(id, made);
    return made;
  };
  return {
    notify(call, serviceId, body) {
      const endpoint: Route = {
        method: "POST",
        path: "",
        label: `POST ${pathOf(call.url)}`,
        role: "notice",
        optional: false,
      };
      return ask(endpoint, interpretNotice, senderOf(serviceId)(endpoint, call, { body }));
    },
  };
}

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : url);
