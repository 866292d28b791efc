/** What pages read of a descriptor; the rest of it belongs to whoever wrote it. */
import type { GraphEdge } from "../../../parts/graph/layout.ts";

export interface DescribedComponent {
  id: string;
  name: string;
  kind: string | undefined;
  description: string | undefined;
  dependsOn: string[];
  isConsumable: boolean;
}

export function componentsOf(descriptor: unknown): DescribedComponent[] {
  return listOf(descriptor, "components")
    .map((component) => ({
      id: textOf(component, "id") ?? "",
      name: textOf(component, "name") ?? textOf(component, "id") ?? "",
      kind: textOf(component, "kind"),
      description: textOf(component, "description"),
      dependsOn: listOf(component, "dependsOn").filter((each) => typeof each === "string"),
      isConsumable:
        fieldOf(component, "consumable") === true ||
        textOf(component, "kind")?.toLowerCase() === "outputport",
    }))
    .filter(({ id }) => id !== "");
}

export const edgesOf = (components: readonly Pick<DescribedComponent, "id" | "dependsOn">[]): GraphEdge[] =>
  components.flatMap(({ id, dependsOn }) => dependsOn.map((from) => ({ from, to: id })));

const fieldOf = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;

const textOf = (value: unknown, key: string): string | undefined => {
  const text = fieldOf(value, key);
  return typeof text === "string" && text !== "" ? text : undefined;
};

const listOf = (value: unknown, key: string): unknown[] => {
  const list = fieldOf(value, key);
  return Array.isArray(list) ? list : [];
};
