/** What a client is led through. */
import type { World } from "./world.ts";

export const stepNames = ["question", "tool", "approved", "refused", "stop", "error"] as const;
export type StepName = (typeof stepNames)[number];

export interface ClientKind {
  name: string;
  /** A step that the protocol has no form for is absent, with the reason. */
  steps: Record<StepName, ((world: World) => Promise<void>) | string>;
}
