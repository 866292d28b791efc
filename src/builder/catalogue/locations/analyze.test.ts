import { expect, it } from "vitest";
import { suggestedEntity } from "./analyze.ts";

const slug = (host: string, project: string) => ({ annotations: { [`${host}/project-slug`]: project } });

it.each<[string, object]>([
  ["https://github.com/sea/ship.git", { name: "ship", ...slug("github.com", "sea/ship") }],
  [
    "https://gitlab.com/sea/-Ship no. 1-",
    { name: "Ship-20no.-201", ...slug("gitlab.com", "sea/-Ship%20no.%201-") },
  ],
  ["https://own.example/sea/ship", { name: "ship", ...slug("gitea.com", "sea/ship") }],
  ["https://none.example/sea/ship", { name: "ship" }],
  ["https://constructor/sea/ship", { name: "ship" }],
  ["https://github.com/ship", { name: "ship" }],
  [`https://none.example/sea/${".".repeat(1_000)}b${".".repeat(1_000)}`, { name: "b" }],
  ["sea/...", { name: "unnamed" }],
])("suggests an entity for %s", (target, metadata) => {
  const hostKind = (host: string) => (host === "own.example" ? "gitea" : null);
  expect(suggestedEntity(target, hostKind)).toMatchObject({ kind: "Component" });
  expect(suggestedEntity(target, hostKind)).toHaveProperty("metadata", metadata);
});
