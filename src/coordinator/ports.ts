import type { RequestContext } from "../platform/lib/request-context.ts";

/** Interfaces of other areas that the coordinator uses; the composition root passes implementations. */

/** Something that waits for a user's decision or attention. */
export interface WaitingItem {
  kind: "HOOK" | "APPROVAL" | "FAILED_OPERATION";
  /** Unique together with the kind. */
  id: string;
  /** One sentence for people. */
  title: string;
  since: Date;
  /** When it expires without a decision; null when it never does. */
  expiresAt: Date | null;
  /** Path on this server that shows the details. */
  path: string;
}

/** What waits for the caller in one area, the oldest first, at most `limit`. */
export type WaitingSource = (ctx: RequestContext, limit: number) => Promise<WaitingItem[]>;

/** A component type of the taxonomy. */
export interface ComponentType {
  /** Whether access to its components can be granted. */
  consumable?: boolean;
}

/** By `namespace/name`, name and resource type, all in lower case. */
export type ComponentTypes = Readonly<Record<string, ComponentType>>;

export type ReadComponentTypes = () => Promise<ComponentTypes>;
