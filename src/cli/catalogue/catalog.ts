import { Option, type Command } from "commander";
import { callServer } from "../client/http.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { inputFailure } from "../exit-codes.ts";
import { withLimit } from "../lists/command.ts";
import { readEntities } from "../lists/pages.ts";
import { printList } from "../lists/print-list.ts";
import { renderTable, type Column } from "../print/table.ts";
import { count, oneLine } from "../print/text.ts";
import { serverOf, withServer, type ServerOptions } from "../options.ts";

interface AddOptions extends ServerOptions {
  type?: string;
  dryRun?: boolean;
}

interface EntityOptions extends ServerOptions {
  filter?: string;
  search?: string;
  limit: number;
}

export function defineCatalog(program: Command, cli: Cli, run: Run): void {
  const catalog = program
    .command("catalog")
    .summary("locations and entities of the catalogue")
    .description("What the catalogue reads, and what it has read.");
  defineLocations(catalog, cli, run);
  const refresh = catalog
    .command("refresh")
    .summary("refresh the location of an entity")
    .description("A worker reads the entity again soon; the list of locations shows its problems then.")
    .argument("<entity>", "reference, such as component:default/orders");
  withServer(refresh).action((ref: string, options: ServerOptions) =>
    run(() => refreshEntity(cli, ref, options)),
  );
  defineEntities(catalog, cli, run);
}

function defineLocations(catalog: Command, cli: Cli, run: Run): void {
  const locations = catalog
    .command("locations")
    .summary("where entities come from")
    .description("Files, addresses and repositories that the catalogue reads.");
  const list = locations
    .command("list")
    .summary("list locations")
    .description("Lists the locations, with the problems of each one's last reading.");
  withServer(list).action((options: ServerOptions) => run(() => listLocations(cli, options)));
  const add = locations
    .command("add")
    .summary("register a location")
    .description("Reads the location at once; when it has a problem, nothing is registered.")
    .argument("<target>", "an address, https://host/name.git#ref:path, or a path on the server")
    .addOption(
      new Option("--type <type>", "kind of the target (default: file for a path, else url)").choices([
        "url",
        "git",
        "file",
      ]),
    )
    .option("--dry-run", "only show what would be registered");
  withServer(add).action((target: string, options: AddOptions) =>
    run(() => addLocation(cli, target, options)),
  );
  const remove = locations
    .command("remove")
    .summary("unregister a location and its entities")
    .description("Removes its entities from the catalogue, unless another location has them too.")
    .argument("<id>", "as the list shows it");
  withServer(remove).action((id: string, options: ServerOptions) =>
    run(() => removeLocation(cli, id, options)),
  );
}

function defineEntities(catalog: Command, cli: Cli, run: Run): void {
  const entities = catalog
    .command("entities")
    .summary("entities of the catalogue")
    .description("Entities of the catalogue.");
  const list = entities
    .command("list")
    .summary("list entities")
    .description("Lists entities in the order of their names.")
    .option("--filter <filter>", "such as kind=component,spec.type=table; all conditions must hold")
    .option("--search <text>", "text that the name has in it");
  withLimit(list).action((options: EntityOptions) => run(() => listEntities(cli, options)));
  const get = entities
    .command("get")
    .summary("show an entity")
    .description("With its relations, as JSON.")
    .argument("<entity>", "reference: kind:namespace/name, or kind:name");
  withServer(get).action((ref: string, options: ServerOptions) => run(() => getEntity(cli, ref, options)));
}

interface Location {
  id: string;
  type: string;
  target: string;
  problems: { where: string; message: string }[];
  refreshedAt: string | null;
}

interface Entity {
  kind: string;
  metadata: { name: string; namespace?: string; title?: string; description?: string };
  spec?: { type?: unknown };
}

const refOf = ({ kind, metadata }: Entity): string =>
  oneLine(`${kind}:${metadata.namespace ?? "default"}/${metadata.name}`.toLowerCase());

function printTable(cli: Cli, columns: Column[], rows: string[][]): void {
  const width = cli.out.size()?.columns;
  if (rows.length === 0) printLines(cli.out, ["There are none."]);
  else printLines(cli.out, renderTable(columns, rows, { width, paintTitle: cli.out.styles.faint }));
}

async function listLocations(cli: Cli, options: ServerOptions): Promise<number> {
  const { body } = await callServer<{ data: Location }[]>(serverOf(cli, options), {
    method: "GET",
    path: "/api/catalog/locations",
  });
  if (options.json) {
    printJson(cli.out, body);
    return 0;
  }
  const rows = body.map(({ data }) => [
    oneLine(data.id),
    oneLine(data.type),
    oneLine(data.target),
    oneLine(data.refreshedAt ?? "not yet"),
    data.problems.length === 0 ? "" : count(data.problems.length, "problem"),
  ]);
  const columns = [
    { title: "ID" },
    { title: "TYPE" },
    { title: "TARGET", shrinks: true },
    { title: "READ" },
    { title: "PROBLEMS" },
  ];
  printTable(cli, columns, rows);
  const problems = body.flatMap(({ data }) =>
    data.problems.map(({ where, message }) => oneLine(`${data.target} ${where}: ${message}`)),
  );
  if (problems.length > 0) printLines(cli.out, ["", ...problems]);
  return 0;
}

/** `https://host` and `git@host:path` have a colon before their first slash; a path has none. */
const typeOf = (target: string): string => (/^[^/]*:/.test(target) ? "url" : "file");

async function addLocation(cli: Cli, target: string, options: AddOptions): Promise<number> {
  const isTried = options.dryRun === true;
  const { body } = await callServer<{ location: Location; entities: Entity[] }>(serverOf(cli, options), {
    method: "POST",
    path: "/api/catalog/locations",
    query: { dryRun: isTried ? true : undefined },
    body: { type: options.type ?? typeOf(target), target },
  });
  if (options.json) printJson(cli.out, body);
  else {
    const entities = count(body.entities.length, "entity").replace(/entitys$/, "entities");
    const headline = isTried
      ? `Would be registered, with ${entities}:`
      : `Registered as ${oneLine(body.location.id)}, with ${entities}:`;
    printLines(cli.out, [headline, ...body.entities.map((entity) => `  ${refOf(entity)}`)]);
  }
  return 0;
}

async function removeLocation(cli: Cli, id: string, options: ServerOptions): Promise<number> {
  const path = `/api/catalog/locations/${encodeURIComponent(id)}`;
  await callServer(serverOf(cli, options), { method: "DELETE", path });
  if (options.json) printJson(cli.out, { id });
  else printLines(cli.out, [`The location ${oneLine(id)} is unregistered.`]);
  return 0;
}

async function refreshEntity(cli: Cli, ref: string, options: ServerOptions): Promise<number> {
  const { kind, namespace, name } = partsOf(ref);
  const entityRef = `${kind}:${namespace}/${name}`;
  await callServer(serverOf(cli, options), {
    method: "POST",
    path: "/api/catalog/refresh",
    body: { entityRef },
  });
  if (options.json) printJson(cli.out, { entityRef });
  else printLines(cli.out, [`The location of ${oneLine(entityRef)} will be read soon.`]);
  return 0;
}

async function listEntities(cli: Cli, options: EntityOptions): Promise<number> {
  const server = serverOf(cli, options);
  const { filter, search: fullTextFilterTerm, limit } = options;
  const asked = { filter, fullTextFilterTerm, orderField: "metadata.name,asc", totalItems: "exclude" };
  const path = "/api/catalog/entities/by-query";
  const listed = await readEntities(async (page) => {
    const query = { ...asked, ...page };
    return (await callServer<{ items: Entity[] }>(server, { method: "GET", path, query })).body.items;
  }, limit);
  printList(cli, options, {
    listed,
    columns: [{ title: "ENTITY", shrinks: "middle" }, { title: "TYPE" }, { title: "TITLE", shrinks: true }],
    toRow: (entity) => [
      refOf(entity),
      oneLine(typeof entity.spec?.type === "string" ? entity.spec.type : ""),
      oneLine(entity.metadata.title ?? entity.metadata.description ?? ""),
    ],
  });
  return 0;
}

async function getEntity(cli: Cli, ref: string, options: ServerOptions): Promise<number> {
  const { kind, namespace, name } = partsOf(ref);
  const path = `/api/catalog/entities/by-name/${[kind, namespace, name].map(encodeURIComponent).join("/")}`;
  const { body } = await callServer<Entity>(serverOf(cli, options), { method: "GET", path });
  printJson(cli.out, body);
  return 0;
}

function partsOf(ref: string): { kind: string; namespace: string; name: string } {
  const match = /^([^:/\s]+):(?:([^:/\s]+)\/)?([^:/\s]+)$/.exec(ref);
  if (match === null) throw inputFailure(`${ref} is no reference of an entity: write kind:namespace/name.`);
  return { kind: match[1] ?? "", namespace: match[2] ?? "default", name: match[3] ?? "" };
}
