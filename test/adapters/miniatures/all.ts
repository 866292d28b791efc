/** The four miniatures together. */
import { startAkka } from "./akka.ts";
import { startCollection } from "./collection.ts";
import { startFastapi } from "./fastapi.ts";
import type { Miniature } from "./server.ts";
import { startSpring } from "./spring.ts";

export const miniatureNames = ["fastapi", "spring", "akka", "collection"] as const;
export type MiniatureName = (typeof miniatureNames)[number];
export type Miniatures = Record<MiniatureName, Miniature>;

export async function startMiniatures(): Promise<Miniatures> {
  const [fastapi, spring, akka, collection] = await Promise.all([
    startFastapi(),
    startSpring(),
    startAkka(),
    startCollection(),
  ]);
  return { fastapi, spring, akka, collection };
}
