/** Entities with payloads in titles, links and annotations; templates with them in forms, steps and outputs. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { payloads } from "../../support/payloads.ts";
import { run } from "../../support/seed-templates.ts";
import { chunks, forEach, send, type Stage, type WaysIn } from "./way-in.ts";

/** @param folder that the server may read locations from */
export async function sendThroughCatalogue(stage: Stage, ways: WaysIn, folder: string): Promise<void> {
  const spec = { type: "payloads", owner: "group:default/fleet-team" };
  const register = async (
    name: string,
    entities: object[],
    fields: string[],
    count: number,
  ): Promise<void> => {
    const target = join(folder, `${name}.yaml`);
    await writeFile(target, entities.map((entity) => JSON.stringify(entity)).join("\n---\n"));
    await send(ways, { fields, count }, () =>
      stage.guest.call("POST", "/api/catalog/locations", { type: "file", target }),
    );
  };
  const titled = payloads.map((text, index) => ({
    ...component(`payload-${index}`),
    metadata: {
      name: `payload-${index}`,
      title: text,
      description: text,
      annotations: { "example.com/note": text },
    },
    spec: { ...spec, lifecycle: text, mesh: { name: text, specific: { [text]: text } } },
  }));
  const fields = ["entity title", "entity description", "entity annotation", "entity spec"];
  await Promise.all(
    chunks(titled, 50).map((entities, index) =>
      register(`entities-${index}`, entities, fields, entities.length),
    ),
  );
  await forEach(payloads, async (url, index) => {
    const name = `payload-link-${index}`;
    const metadata = { name, links: [{ url, title: url }] };
    await register(name, [{ ...component(name), metadata, spec }], ["entity link"], 1);
  });
  await viewOf(stage, ways, register);
  ways.routes.push(
    { name: "catalogue-payloads", path: "/catalogue?q=payload" },
    ...[0, 4, 61, 190].map((index) => entityPage(`payload-${index}`)),
    ...[62, 66, 80, 102].map((index) => entityPage(`payload-link-${index}`)),
    { name: "entity-yaml", path: `${entityPage("payload-3").path}?tab=yaml` },
    { name: "entity-view", path: "/catalogue/system%3Adefault%2Fpayload-view" },
  );
}

const component = (name: string) => ({
  apiVersion: "backstage.io/v1alpha1",
  kind: "Component",
  metadata: { name },
});

const entityPage = (name: string) => ({
  name: "entity-payload",
  path: `/catalogue/${encodeURIComponent(`component:default/${name}`)}`,
});

type Register = (name: string, entities: object[], fields: string[], count: number) => Promise<void>;

/** A view that shows fields of an entity as text, link, list and Markdown, whatever is in them. */
async function viewOf({ guest }: Stage, ways: WaysIn, register: Register): Promise<void> {
  const kinds = ["text", "link", "date", "list", "markdown"] as const;
  const values = Object.fromEntries(payloads.map((text, index) => [`p${index}`, text]));
  const entity = { ...component("payload-view"), kind: "System" };
  const spec = {
    type: "dataproduct",
    owner: "group:default/fleet-team",
    domain: "domain:default/mobility",
    values,
  };
  await register("payload-view", [{ ...entity, spec }], ["entity spec in a view"], payloads.length);
  const items = payloads.map((text, index) => ({
    label: text,
    path: `spec.values.p${index}`,
    kind: kinds[index % kinds.length],
  }));
  const [grid, side] = chunks(items, 100);
  await send(ways, { fields: ["label of a view"], count: items.length }, () =>
    guest.call("PUT", "/api/builder/custom-views/dataProductPage", { grid, side }),
  );
}

export async function sendThroughTemplates(stage: Stage, ways: WaysIn, folder: string): Promise<void> {
  await forEach(chunks(payloads, 25), async (part, index) => {
    const name = `payload-form-${index}`;
    const target = join(folder, `${name}.yaml`);
    await writeFile(target, JSON.stringify(templateOf(name, part)));
    const fields = ["template title", "template parameter", "template step name"];
    const made = await send(ways, { fields, count: part.length }, () =>
      stage.guest.call("POST", "/api/catalog/locations", { type: "file", target }),
    );
    if (made === undefined) return;
    const values = Object.fromEntries(part.map((text, number) => [`p${number}`, text]));
    const task = await send(ways, { fields: ["template log and output"], count: part.length }, () =>
      run(stage, name, values),
    );
    ways.routes.push({
      name: "template-payload",
      path: `/templates/${encodeURIComponent(`template:default/${name}`)}`,
    });
    if (task !== undefined) ways.routes.push({ name: "run-payload", path: `/instantiations/${task.id}` });
  });
}

/** What is evaluated on the server is no question of this program: expressions are taken out of where templates have them. */
const plain = (text: string): string =>
  text.replaceAll("{{", "{ {").replaceAll("{%", "{ %").replaceAll("{#", "{ #");

const templateOf = (name: string, part: readonly string[]): object => ({
  apiVersion: "scaffolder.backstage.io/v1beta3",
  kind: "Template",
  metadata: { name, title: part[0], description: part.join("\n\n"), tags: ["payloads"] },
  spec: {
    owner: "group:default/fleet-team",
    type: part[1],
    parameters: [
      {
        title: part[2],
        description: part.join(" "),
        properties: Object.fromEntries(
          part.map((text, index) => [
            `p${index}`,
            {
              title: text,
              description: text,
              type: "string",
              default: text,
              "ui:help": text,
              "ui:placeholder": text,
            },
          ]),
        ),
      },
    ],
    steps: part.map((text, index) => ({
      id: `step-${index}`,
      name: plain(text),
      action: "debug:log",
      input: { message: `\${{ parameters.p${index} }}` },
    })),
    output: {
      links: part.map((text, index) => ({ title: plain(text), url: `\${{ parameters.p${index} }}` })),
      text: part.map((text, index) => ({ title: plain(text), content: `\${{ parameters.p${index} }}` })),
    },
  },
});
