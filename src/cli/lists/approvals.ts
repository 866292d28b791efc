/** `plinth list approvals`: what waits for a decision in all areas, with who may decide it. */
import type { Server } from "../client/http.ts";
import type { AccessRequest, HookDetails } from "../client/wire.ts";
import { printLines, type Cli } from "../context.ts";
import { serverOf } from "../options.ts";
import { oneLine } from "../print/text.ts";
import { printList, type ListOptions } from "./print-list.ts";
import { timeCell } from "./kinds.ts";
import { paging, readList } from "./pages.ts";
import type { WaitingItem } from "./wire.ts";

interface Approval {
  kind: "hook" | "access request" | "tool call" | "exception";
  id: string;
  what: string;
  since: string;
  expiresAt: string | null;
  /** Whether the caller may decide it. */
  isYours: boolean;
}

/** Each source has at most this many: the operations have no larger pages, and a person decides no more at once. */
const maxOfSource = 100;

export async function listApprovals(cli: Cli, options: ListOptions): Promise<number> {
  const server = serverOf(cli, options);
  const [yours, hooks, requests] = await Promise.all([
    readList<WaitingItem>(server, {
      path: "/api/coordinator/v1/waiting",
      query: { limit: String(maxOfSource) },
      limit: maxOfSource,
      next: paging.once,
    }),
    readPending<HookDetails & Times & { actionName: string }>(server, "/api/builder/hooks", "pending"),
    readPending<AccessRequest & Times>(server, "/api/builder/access-requests", "PENDING"),
  ]);
  const found: Approval[] = [
    ...yours.items.flatMap(ofWaiting),
    ...hooks.filter(({ hookId }) => !yours.items.some(({ id }) => id === hookId)).map(ofHook),
    ...requests.map(ofRequest),
  ].sort((a, b) => (a.since < b.since ? -1 : 1));
  const listed = { items: found.slice(0, options.limit), hasMore: found.length > options.limit };
  printList<Approval>(cli, options, {
    listed,
    columns: [
      { title: "KIND" },
      { title: "ID" },
      { title: "DECIDES" },
      { title: "SINCE" },
      { title: "EXPIRES" },
      { title: "WHAT", shrinks: true },
    ],
    toRow: ({ kind, id, isYours, since, expiresAt, what }, styles) => [
      kind,
      oneLine(id),
      isYours ? { text: "you", paint: styles.strong } : "others",
      timeCell(since),
      timeCell(expiresAt),
      oneLine(what),
    ],
  });
  if (!options.json)
    printLines(
      cli.out,
      howToDecide(listed.items).map((line) => cli.out.styles.faint(line)),
    );
  return 0;
}

interface Times {
  creationAt?: string;
  createdAt?: string;
  expiresAt?: string | null;
}

async function readPending<T>(server: Server, path: string, status: string): Promise<T[]> {
  const query = { status };
  return (await readList<T>(server, { path, query, limit: maxOfSource, next: paging.after })).items;
}

const kinds: ReadonlyMap<string, Approval["kind"]> = new Map([
  ["HOOK", "hook"],
  ["APPROVAL", "tool call"],
  ["EXCEPTION", "exception"],
]);

/** Failed operations wait for the caller too, but for no decision. */
function ofWaiting({ kind, id, title, since, expiresAt }: WaitingItem): Approval[] {
  const known = kinds.get(kind);
  return known === undefined ? [] : [{ kind: known, id, what: title, since, expiresAt, isYours: true }];
}

const ofHook = (hook: HookDetails & Times & { actionName: string }): Approval => ({
  kind: "hook",
  id: hook.hookId,
  what: `${hook.requester} asks for ${hook.actionName} (${hook.hookName}).`,
  since: hook.creationAt ?? "",
  expiresAt: hook.expiresAt ?? null,
  isYours: false,
});

/** An access request is decided through its hooks. */
const ofRequest = (request: AccessRequest & Times): Approval => ({
  kind: "access request",
  id: request.id,
  what: `${request.requester} asks for access in ${request.environment}. ${request.waiting?.reason ?? ""}`.trim(),
  since: request.createdAt ?? "",
  expiresAt: null,
  isYours: false,
});

function howToDecide(items: readonly Approval[]): string[] {
  const has = new Set(items.map(({ kind }) => kind));
  return [
    ...(has.has("hook")
      ? [
          "See and decide a hook: plinth approvals show <id>, plinth approvals decide <id> --approve --reason <text>",
        ]
      : []),
    ...(has.has("access request")
      ? ["See which hooks an access request waits for: plinth access show <id>"]
      : []),
    ...(has.has("exception") ? ["Decide an exception: plinth exception decide <id>"] : []),
    ...(has.has("tool call")
      ? ["Decide a tool call: plinth assistant decide <id> approve, or refuse <reason>"]
      : []),
  ];
}
