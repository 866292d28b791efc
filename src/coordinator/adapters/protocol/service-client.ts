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
  /** By service id; calls of the others carry no Authorization. */
  secrets: ReadonlyMap<string, string>;
}

export function createServiceClient({ outbound, now, secrets }: ServiceClientOptions): ServiceClient {
  const unsigned = createSend({ outbound, now });
  const signed = new Map([...secrets].map(([id, secret]) => [id, createSend({ outbound, now, secret })]));
  return {
    notify(call, serviceId, body) {
      const endpoint: Route = {
        method: "POST",
        path: "",
        label: `POST ${pathOf(call.url)}`,
        role: "notice",
        optional: false,
      };
      const send = signed.get(serviceId) ?? unsigned;
      return ask(endpoint, interpretNotice, send(endpoint, call, { body }));
    },
  };
}

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : url);
