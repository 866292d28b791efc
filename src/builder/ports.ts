import type { Problem } from "../platform/errors/failure.ts";
import type { RequestContext } from "../platform/lib/request-context.ts";

/** What the builder needs from others; compose.ts passes the owner's service or a client of it. */

/** A registration as it goes to the coordinator: the adapter's identity and its address in one environment. */
export interface TechAdapterRegistration {
  id: string;
  name: string;
  description: string;
  version: string;
  url: string;
  environment: string;
  properties: Record<string, unknown>;
}

/** The coordinator's catalogue of tech adapters. Registering again updates; identity and address go in together. */
export interface TechAdapterCatalogue {
  register: (ctx: RequestContext, registration: TechAdapterRegistration) => Promise<void>;
}

/** The verdict of the outbound policy on an address, without connecting. */
export type CheckUrl = (url: string) => Problem | null;

/** Whether something answers at an address; undefined when that cannot be told. */
export type ProbeUrl = (url: string, signal: AbortSignal) => Promise<boolean | undefined>;

/** Resource type of each system type of the catalogue, by name. */
export type ListResourceTypes = () => Promise<Readonly<Record<string, string>>>;
