/** Scripts that arrive in the values of templates: they get into runs, entities, forms, logs and files. */
import { payloads } from "./payloads.ts";
import type { ShownRoute } from "./routes.ts";
import { ferries, run } from "./seed-templates.ts";
import type { ConsoleServer } from "./server.ts";

const at = (path: string, id: string): string => `${path}/${encodeURIComponent(id)}`;

/** A view for each payload, and one run that fails and says it. */
export async function payloadsInTemplates(server: ConsoleServer): Promise<ShownRoute[]> {
  const routes: ShownRoute[] = [{ name: "catalogue-payloads", path: "/catalogue?q=payload" }];
  for (const [index, payload] of payloads.entries()) {
    const name = `payload${index}`;
    const columns = [{ name: payload, type: payload }];
    const { id, status, error } = await run(server, "view", {
      system: ferries,
      name,
      table: payload,
      description: payload,
      columns,
    });
    routes.push({ name: "run-payload", path: at("/instantiations", id) });
    if (status !== "completed") {
      // What YAML cannot hold fails, and its problem is shown.
      if (error === null) throw new Error(`The run with ${payload} ended ${status} without saying why.`);
      continue;
    }
    const entityRef = `component:default/travel.ferries.0.${name}`;
    routes.push(
      { name: "entity-payload", path: at("/catalogue", entityRef) },
      { name: "entity-yaml-payload", path: `${at("/catalogue", entityRef)}?tab=yaml` },
      {
        name: "edit-payload",
        path: `${at("/templates", "edittemplate:default/edit-view")}?step=review&entity=${encodeURIComponent(entityRef)}`,
      },
    );
  }
  const failed = await run(server, "output-port", {
    system: payloads[0],
    name: "payload",
    source: payloads[1],
    columns: [{ name: "x" }],
  }).catch(() => null);
  if (failed !== null) routes.push({ name: "run-failed-payload", path: at("/instantiations", failed.id) });
  return routes;
}
