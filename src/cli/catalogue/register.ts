import type { Command } from "commander";
import { isRecord } from "../../platform/lib/is-record.ts";
import { callServer } from "../client/http.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { inputFailure } from "../exit-codes.ts";
import { oneLine } from "../print/text.ts";
import { collect, serverOf, withServer, type ServerOptions } from "../options.ts";

interface RegisterOptions extends ServerOptions {
  environment: string[];
  name?: string;
  description?: string;
  properties?: string;
}

export function defineRegister(program: Command, cli: Cli, run: Run): void {
  const command = program
    .command("register")
    .summary("register a tech adapter")
    .description("Links an infrastructure template to the address of its tech adapter. Repeating it updates.")
    .argument("<id>", "infrastructure template id: urn:<namespace>:itm:<name>:<version>")
    .argument("<adapter-url>", "http address of the adapter, as the server reaches it")
    .requiredOption("-e, --environment <name>", "environment; repeat it for several", collect)
    .option("--name <name>", "name for people (default: from the id)")
    .option("--description <text>", "what the adapter is for (default: from the name)")
    .option("--properties <json>", "further properties of the infrastructure template, a JSON object");
  withServer(command).action((id: string, url: string, options: RegisterOptions) =>
    run(() => register(cli, { id, url }, options)),
  );
}

async function register(
  cli: Cli,
  { id, url }: { id: string; url: string },
  options: RegisterOptions,
): Promise<number> {
  const server = serverOf(cli, options);
  const parts = id.split(":");
  const name = options.name ?? parts.at(-2) ?? id;
  const properties = parseProperties(options.properties);
  const registered: { environment: string; reachable: string }[] = [];
  for (const environment of options.environment) {
    const description = options.description ?? `The tech adapter ${name}`;
    const body = { id, name, description, version: parts.at(-1), url, environment, properties };
    const { headers } = await callServer<string>(server, {
      method: "POST",
      path: "/api/builder/register",
      body,
    });
    registered.push({ environment, reachable: headers.get("x-plinth-reachable") ?? "unknown" });
  }
  if (options.json) printJson(cli.out, { id, url, registered });
  else
    printLines(
      cli.out,
      registered.map((each) => print(id, each, cli)),
    );
  return 0;
}

function print(
  id: string,
  { environment, reachable }: { environment: string; reachable: string },
  cli: Cli,
): string {
  const { good, attention } = cli.out.styles;
  const remark = reachable === "false" ? ` ${attention("Nothing answers at its address yet.")}` : "";
  return `${good("registered")} ${oneLine(id)} in ${oneLine(environment)}.${remark}`;
}

function parseProperties(text: string | undefined): object {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    if (isRecord(value)) return value;
  } catch {
    // Reported below, like JSON that is not an object.
  }
  throw inputFailure("It must be a JSON object.", { where: "--properties" });
}
