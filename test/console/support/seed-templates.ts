/** What templates have made: a product of two templates, a run that failed, and one that waits for nothing any more. */
import { join } from "node:path";
import type { ConsoleServer } from "./server.ts";
import { until } from "./until.ts";

type Stage = Pick<ConsoleServer, "guest">;

interface Task {
  id: string;
  status: string;
  error: string | null;
  output: Record<string, unknown>;
}

const root = join(import.meta.dirname, "../../..");
export const ferries = "system:default/travel.ferries.0";
export const ferriesView = "component:default/travel.ferries.0.today";

export async function seedTemplates(stage: Stage): Promise<void> {
  const { guest } = stage;
  await guest.call("POST", "/api/catalog/locations", {
    type: "file",
    target: join(root, "examples/edit/templates/all.yaml"),
  });
  await make(stage, "product", { name: "ferries", domain: "travel", owner: "group:default/fleet-team" });
  await make(stage, "view", {
    system: ferries,
    name: "today",
    table: "departures",
    description: "All ferries that leave today",
    columns: [{ name: "ship", type: "STRING" }],
  });
  // Its source is not in the catalogue: the second step fails.
  await run(stage, "output-port", {
    system: ferries,
    name: "departures-today",
    source: "component:default/travel.ferries.0.departures",
    columns: [{ name: "ship", type: "STRING" }],
  });
}

async function make(stage: Stage, template: string, values: object): Promise<void> {
  const task = await run(stage, template, values);
  if (task.status !== "completed") throw new Error(`${template} ended ${task.status}: ${task.error}`);
}

/** Starts a template and waits for its end. */
export async function run({ guest }: Stage, template: string, values: object): Promise<Task> {
  const templateRef = `template:default/${template}`;
  const { id } = await guest.call<{ id: string }>("POST", "/api/builder/templates/instantiate", {
    templateRef,
    values,
  });
  return until(
    () => guest.call<Task>("GET", `/api/builder/templates/tasks/${id}`),
    ({ status }) => ["completed", "failed", "cancelled"].includes(status),
  );
}
