import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Option, type Command } from "commander";
import { isRecord } from "../../platform/lib/is-record.ts";
import { callServer, type Server } from "../client/http.ts";
import { pollUntil } from "../client/poll.ts";
import type { AccessRequest } from "../client/wire.ts";
import { startOnce } from "../client/start-once.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { inputFailure } from "../exit-codes.ts";
import { withLimit } from "../lists/command.ts";
import { statusCell } from "../lists/kinds.ts";
import { paging, readList } from "../lists/pages.ts";
import { printList } from "../lists/print-list.ts";
import { accessLines } from "../print/access.ts";
import { oneLine } from "../print/text.ts";
import { collect, serverOf, withServer, type ServerOptions } from "../options.ts";

interface RequestOptions extends ServerOptions {
  environment: string;
  identity: string[];
  reason?: string;
  fields?: string;
  template?: string;
  follow?: boolean;
}

interface ListOptions extends ServerOptions {
  status?: string;
  limit: number;
}

const base = "/api/builder/access-requests";

export function defineAccess(program: Command, cli: Cli, run: Run): void {
  const access = program
    .command("access")
    .summary("request access to output ports")
    .description(
      "Access requests: who shall be able to read what, once everybody who has to agree has agreed.",
    );
  for (const operation of ["GRANT", "REVOKE"] as const) {
    const command = access
      .command(operation === "GRANT" ? "request" : "revoke")
      .summary(operation === "GRANT" ? "ask for access" : "ask that access is taken away")
      .description(
        operation === "GRANT"
          ? "Asks that identities get access to output ports of one unit."
          : "Asks that identities lose access to output ports of one unit.",
      )
      .argument("<unit>", "id of the deployment unit")
      .argument("<output-port...>", "ids of components or subcomponents")
      .requiredOption("-e, --environment <name>", "environment of the unit")
      .requiredOption("--identity <identity>", "user:<name> or group:<name>; repeatable", collect)
      .option("--reason <text>", "for those who decide")
      .option("--fields <json>", "access control fields, a JSON object; @<file> reads it from a file")
      .option("--template <ref>", "access request template that the fields have to fit")
      .option("--follow", "wait for the end; ends with 1 unless access was changed");
    withServer(command).action((unit: string, ports: string[], options: RequestOptions) =>
      run(() => request(cli, { operation, unit, ports }, options)),
    );
  }
  const list = access
    .command("list")
    .summary("list access requests")
    .description("Lists those that you may see, the latest first.")
    .addOption(new Option("--status <status>", "only those with that status"));
  withLimit(list).action((options: ListOptions) => run(() => listRequests(cli, options)));
  const show = access
    .command("show")
    .summary("show an access request")
    .description("Shows its ports and hooks, what it waits for and how it ended.")
    .argument("<id>", "id of the access request")
    .option("--follow", "wait for the end; ends with 1 unless access was changed");
  withServer(show).action((id: string, options: ServerOptions & { follow?: boolean }) =>
    run(() => showRequest(cli, id, options)),
  );
  for (const [name, summary] of [
    ["retry", "retry a failed access request"],
    ["withdraw", "withdraw an access request that is not decided"],
  ] as const) {
    const command = access.command(name).summary(summary).argument("<id>", "id of the access request");
    withServer(command.description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`)).action(
      (id: string, options: ServerOptions) => run(() => act(cli, { id, name }, options)),
    );
  }
}

interface Wanted {
  operation: "GRANT" | "REVOKE";
  unit: string;
  ports: string[];
}

async function request(
  cli: Cli,
  { operation, unit, ports }: Wanted,
  options: RequestOptions,
): Promise<number> {
  const server = serverOf(cli, options);
  const { environment, identity: identities, reason, template } = options;
  const fields = options.fields === undefined ? undefined : await readFields(cli, options.fields);
  const { body } = await startOnce<AccessRequest>(server, {
    method: "POST",
    path: base,
    body: {
      operation,
      deploymentUnitId: unit,
      environment,
      outputPortUrns: ports,
      identities,
      ...(reason === undefined ? {} : { reason }),
      ...(template === undefined ? {} : { templateRef: template }),
      ...(fields === undefined ? {} : { accessControlFields: fields }),
    },
  });
  if (!options.follow) return print(cli, options, body);
  // Whatever ends the waiting, nobody has to ask again to know how it ended.
  printLines(cli.err, [
    `The access request is ${oneLine(body.id)}: plinth access show ${oneLine(body.id)} --follow`,
  ]);
  return print(cli, options, await followed(server, body));
}

async function readFields(cli: Cli, given: string): Promise<object> {
  const where = "--fields";
  const read = (path: string): Promise<string> =>
    readFile(resolve(cli.cwd, path), "utf8").catch((cause: unknown) => {
      throw inputFailure(`The file ${path} can't be read.`, { where, cause });
    });
  const text = given.startsWith("@") ? await read(given.slice(1)) : given;
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Reported below, like JSON that is not an object.
  }
  throw inputFailure("It must be a JSON object.", { where });
}

const readRequest = async (server: Server, id: string): Promise<AccessRequest> => {
  const path = `${base}/${encodeURIComponent(id)}`;
  return (await callServer<AccessRequest>(server, { method: "GET", path })).body;
};

const hasEnded = ({ endedAt }: AccessRequest): boolean => endedAt !== null;

const followed = async (server: Server, before: AccessRequest): Promise<AccessRequest> =>
  hasEnded(before)
    ? before
    : pollUntil(server, { read: () => readRequest(server, before.id), isDone: hasEnded });

async function showRequest(
  cli: Cli,
  id: string,
  options: ServerOptions & { follow?: boolean },
): Promise<number> {
  const server = serverOf(cli, options);
  const found = await readRequest(server, id);
  return print(cli, options, options.follow ? await followed(server, found) : found);
}

async function act(
  cli: Cli,
  { id, name }: { id: string; name: string },
  options: ServerOptions,
): Promise<number> {
  const path = `${base}/${encodeURIComponent(id)}/${name}`;
  const { body } = await callServer<AccessRequest>(serverOf(cli, options), { method: "POST", path });
  return print(cli, options, body);
}

function print(cli: Cli, options: ServerOptions & { follow?: boolean }, found: AccessRequest): number {
  if (options.json) printJson(cli.out, found);
  else printLines(cli.out, accessLines(found, cli.out.styles));
  return options.follow && found.status !== "GRANTED" && found.status !== "REVOKED" ? 1 : 0;
}

async function listRequests(cli: Cli, options: ListOptions): Promise<number> {
  const { status, limit } = options;
  const next = paging.after;
  const listed = await readList<AccessRequest>(serverOf(cli, options), {
    path: base,
    query: { status },
    limit,
    next,
  });
  printList(cli, options, {
    listed,
    columns: [
      { title: "ID" },
      { title: "OPERATION" },
      { title: "STATUS" },
      { title: "ENVIRONMENT" },
      { title: "REQUESTER" },
      { title: "WAITS FOR", shrinks: true },
    ],
    toRow: (each, styles) => [
      oneLine(each.id),
      oneLine(each.operation),
      statusCell(styles, each.status),
      oneLine(each.environment),
      oneLine(each.requester),
      oneLine(each.waiting?.reason ?? each.message ?? ""),
    ],
  });
  return 0;
}
