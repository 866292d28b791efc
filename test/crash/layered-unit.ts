import type { RequestedBehaviour } from "../../src/adapters/mock/behaviour.ts";
import { environment, mockId } from "../faults/registration.ts";
import { between, type Random } from "./random.ts";

const layers = 5;
const widthOfLayer = 5;

/** A component has two tasks: it is found valid, then provisioned. */
export const tasksOfUnit = layers * widthOfLayer * 2;

/** The start request of a unit in five layers; about half of its components are done asynchronously. */
export function layeredUnit(unitId: string, random: Random): object {
  const components: { id: string; [key: string]: unknown }[] = [];
  for (let layer = 0; layer < layers; layer++) {
    for (let place = 0; place < widthOfLayer; place++) {
      const below = layer === 0 ? [] : [place, Math.floor(random() * widthOfLayer)];
      components.push({
        id: `${unitId}-${layer}-${place}`,
        name: `Part ${layer}.${place}`,
        kind: "storage",
        infrastructureTemplateId: mockId,
        dependsOn: [...new Set(below)].map((other) => `${unitId}-${layer - 1}-${other}`),
        specific: { mock: randomBehaviour(random) },
      });
    }
  }
  return {
    descriptor: { id: unitId, name: unitId, version: "1.0", environment, components },
    targetStatus: components.map(({ id }) => ({ componentId: id, targetStatus: "DEPLOYED" })),
  };
}

function randomBehaviour(random: Random): RequestedBehaviour {
  if (random() < 0.5) return { delayMs: Math.floor(between(random, 0, 200)) };
  const runningPolls = Math.floor(between(random, 0, 3));
  return { mode: "async", delayMs: Math.floor(between(random, 0, 80)), runningPolls };
}
