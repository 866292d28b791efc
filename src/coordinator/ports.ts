import type { RequestContext } from "../platform/lib/request-context.ts";

/** What the coordinator needs from others; app.ts passes it. */

/** Something that goes on only when somebody has decided or looked. */
export interface WaitingItem {
  kind: "HOOK" | "APPROVAL" | "FAILED_OPERATION";
  /** Unique together with the kind. */
  id: string;
  /** One sentence for people. */
  title: string;
  since: Date;
  /** When it is decided without them; null where it waits for ever. */
  expiresAt: Date | null;
  /** Path of the operation that tells more of it, on this server. */
  path: string;
}

/** What waits for the caller in one area, the oldest first, at most so many. */
export type WaitingSource = (ctx: RequestContext, limit: number) => Promise<WaitingItem[]>;

/** What the taxonomy says of a type of component. */
export interface ComponentType {
  /** Whether others may be given access to its components. */
  consumable?: boolean;
}

/** By `namespace/name`, name and resource type, all in lower case. */
export type ComponentTypes = Readonly<Record<string, ComponentType>>;

export type ReadComponentTypes = () => Promise<ComponentTypes>;
