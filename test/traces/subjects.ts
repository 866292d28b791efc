/** What the processes are given to do: units and a template. */
import type { RequestedBehaviour } from "../../src/adapters/mock/behaviour.ts";
import { environment, mockId } from "../faults/registration.ts";

/** The start request of a unit whose parts need each other in their order. */
export function unitOf(id: string, parts: Record<string, RequestedBehaviour>): object {
  const names = Object.keys(parts);
  const components = names.map((name, index) => ({
    id: `${id}-${name}`,
    name,
    kind: "storage",
    infrastructureTemplateId: mockId,
    dependsOn: index === 0 ? [] : [`${id}-${names[index - 1]}`],
    specific: { mock: parts[name] },
  }));
  return {
    descriptor: { id, name: id, version: "1.0", environment, components },
    targetStatus: components.map((component) => ({ componentId: component.id, targetStatus: "DEPLOYED" })),
  };
}

export const templateName = "traced";

export const template = {
  apiVersion: "scaffolder.backstage.io/v1beta3",
  kind: "Template",
  metadata: { name: templateName, title: "Traced" },
  spec: {
    type: "service",
    owner: "sailors",
    parameters: [
      {
        title: "Values",
        properties: {
          name: { type: "string" },
          password: { type: "string", "ui:widget": "password" },
          fails: { type: "boolean", default: false },
        },
      },
    ],
    steps: [
      { id: "say", name: "Say", action: "debug:log", input: { message: "for ${{ parameters.name }}" } },
      {
        id: "break",
        name: "Break",
        if: "${{ parameters.fails }}",
        action: "fetch:plain",
        input: { url: "file:///nowhere/${{ parameters.name }}" },
      },
    ],
  },
};
