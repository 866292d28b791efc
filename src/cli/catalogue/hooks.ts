import { Option, type Command } from "commander";
import { callServer } from "../client/http.ts";
import type { HookDetails } from "../client/wire.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { inputFailure } from "../exit-codes.ts";
import { withLimit } from "../lists/command.ts";
import { statusCell } from "../lists/kinds.ts";
import { paging, readList } from "../lists/pages.ts";
import { printList } from "../lists/print-list.ts";
import { paintOf } from "../print/colors.ts";
import { oneLine } from "../print/text.ts";
import { serverOf, withServer, type ServerOptions } from "../options.ts";

interface ListOptions extends ServerOptions {
  status: string;
  limit: number;
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
    .description("Lists those that you may see, the latest first, with what each waits for.")
    .addOption(
      new Option("--status <status>", "only those")
        .choices(["pending", "OK", "KO", "all"])
        .default("pending"),
    );
  withLimit(list).action((options: ListOptions) => run(() => listHooks(cli, options)));
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
  const { status, limit } = options;
  const listed = await readList<HookDetails>(serverOf(cli, options), {
    path: "/api/builder/hooks",
    query: { status: status === "all" ? undefined : status },
    limit,
    next: paging.after,
  });
  printList(cli, options, {
    listed,
    columns: [
      { title: "ID" },
      { title: "HOOK" },
      { title: "KIND" },
      { title: "STATUS" },
      { title: "REQUESTER" },
      { title: "WAITS FOR", shrinks: true },
    ],
    toRow: (hook, styles) => [
      oneLine(hook.hookId),
      oneLine(hook.hookName),
      oneLine(hook.kind),
      statusCell(styles, hook.status),
      oneLine(hook.requester),
      oneLine(hook.waiting ?? hook.reason ?? ""),
    ],
  });
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
