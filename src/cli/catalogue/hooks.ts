import { Option, type Command } from "commander";
import { callServer } from "../client/http.ts";
import type { HookDetails, Page } from "../client/wire.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { inputFailure } from "../exit-codes.ts";
import { paintOf } from "../print/colors.ts";
import { renderTable } from "../print/table.ts";
import { oneLine } from "../print/text.ts";
import { serverOf, withServer, type ServerOptions } from "../options.ts";

interface ListOptions extends ServerOptions {
  status: string;
}

interface AnswerOptions extends ServerOptions {
  ok?: boolean;
  ko?: boolean;
  reason?: string;
}

export function defineHooks(program: Command, cli: Cli, run: Run): void {
  const hooks = program
    .command("hooks")
    .summary("list and answer the decisions of hooks")
    .description(
      "Hooks: what has to be decided by owners and third parties before an action is carried out.",
    );
  const list = hooks
    .command("list")
    .summary("list hooks")
    .description("Lists the latest hundred that you may see, with what each waits for.")
    .addOption(
      new Option("--status <status>", "only those")
        .choices(["pending", "OK", "KO", "all"])
        .default("pending"),
    );
  withServer(list).action((options: ListOptions) => run(() => listHooks(cli, options)));
  const answer = hooks
    .command("answer")
    .summary("answer a hook")
    .description("The owner of the resource answers a notification, an operator any hook.")
    .argument("<hook-id>", "as the list shows it")
    .option("--ok", "agree")
    .option("--ko", "refuse")
    .option("--reason <text>", "for the requester");
  withServer(answer).action((id: string, options: AnswerOptions) => run(() => answerHook(cli, id, options)));
}

async function listHooks(cli: Cli, options: ListOptions): Promise<number> {
  const query = { limit: "100", status: options.status === "all" ? undefined : options.status };
  const { body } = await callServer<Page<HookDetails>>(serverOf(cli, options), {
    method: "GET",
    path: "/api/builder/hooks",
    query,
  });
  const { styles } = cli.out;
  const rows = body.data.map((hook) => [
    oneLine(hook.hookId),
    oneLine(hook.hookName),
    oneLine(hook.kind),
    { text: oneLine(hook.status), paint: paintOf(styles, hook.status) },
    oneLine(hook.requester),
    oneLine(hook.waiting ?? hook.reason ?? ""),
  ]);
  const columns = [
    { title: "ID" },
    { title: "HOOK" },
    { title: "KIND" },
    { title: "STATUS" },
    { title: "REQUESTER" },
    { title: "WAITS FOR", shrinks: true },
  ];
  if (options.json) printJson(cli.out, body);
  else if (rows.length === 0) printLines(cli.out, ["There are none."]);
  else
    printLines(
      cli.out,
      renderTable(columns, rows, { width: cli.out.size()?.columns, paintTitle: styles.faint }),
    );
  return 0;
}

async function answerHook(cli: Cli, id: string, options: AnswerOptions): Promise<number> {
  if ((options.ok ?? false) === (options.ko ?? false)) throw inputFailure("Give either --ok or --ko.");
  const { body } = await callServer<HookDetails>(serverOf(cli, options), {
    method: "POST",
    path: `/api/builder/hooks/${encodeURIComponent(id)}/answer`,
    body: {
      status: options.ok ? "OK" : "KO",
      ...(options.reason === undefined ? {} : { reason: options.reason }),
    },
  });
  const status = paintOf(cli.out.styles, body.status)(oneLine(body.status));
  if (options.json) printJson(cli.out, body);
  else printLines(cli.out, [`The hook ${oneLine(body.hookName)} is ${status}.`]);
  return 0;
}
