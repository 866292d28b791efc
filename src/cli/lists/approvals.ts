/** `plinth list approvals`: what waits for a decision in all areas, with who may decide it. */
import { Failure } from "../../platform/errors/failure.ts";
import type { Server } from "../client/http.ts";
import type { AccessRequest, HookDetails } from "../client/wire.ts";
import { printLines, type Cli } from "../context.ts";
import { serverOf } from "../options.ts";
import { oneLine } from "../print/text.ts";
import { printList, type ListOptions } from "./print-list.ts";
import { timeCell } from "./kinds.ts";
import { maxLimit, mergeLists, paging, readList, type Listed } from "./pages.ts";
import type { PendingException, WaitingItem } from "./wire.ts";

interface Approval {
  kind: "hook" | "access request" | "tool call" | "exception" | "repair of drift";
  id: string;
  what: string;
  since: string;
  expiresAt: string | null;
  /** Whether the caller may decide it. */
  isYours: boolean;
}

export async function listApprovals(cli: Cli, options: ListOptions): Promise<number> {
  const server = serverOf(cli, options);
  // All of each: some lists of the server begin with the latest, and the oldest are wanted.
  const [yours, hooks, requests, exceptions] = await Promise.all([
    readList<WaitingItem>(server, {
      path: "/api/coordinator/v1/waiting",
      query: { kind: [...kinds.keys()].join(",") },
      limit: maxLimit,
      next: paging.cursor,
    }),
    readPending<HookDetails & Times>(server, "/api/builder/hooks", "pending"),
    readPending<AccessRequest & Times>(server, "/api/builder/access-requests", "PENDING"),
    readExceptions(server),
  ]);
  const idsOfYours = new Set(yours.items.map(({ id }) => id));
  const others = hooks.items.filter(({ hookId }) => !idsOfYours.has(hookId));
  const lists = [
    { ...yours, items: yours.items.flatMap(ofWaiting) },
    { ...hooks, items: others.map(ofHook) },
    { ...requests, items: requests.items.map(ofRequest) },
    { ...exceptions, items: exceptions.items.filter(({ id }) => !idsOfYours.has(id)).map(ofException) },
  ];
  const listed = mergeLists<Approval>(lists, options.limit);
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

const readPending = <T>(server: Server, path: string, status: string): Promise<Listed<T>> =>
  readList<T>(server, { path, query: { status }, limit: maxLimit, next: paging.after });

/** None where the server has no governance. */
const readExceptions = (server: Server): Promise<Listed<PendingException>> =>
  readList<PendingException>(server, {
    path: "/v1/computational-governance/exceptions",
    query: { status: "pending" },
    limit: maxLimit,
    next: paging.offset,
  }).catch((error: unknown) => {
    if (error instanceof Failure && error.kind === "not_found") return { items: [], hasMore: false };
    throw error;
  });

const kinds: ReadonlyMap<string, Approval["kind"]> = new Map([
  ["HOOK", "hook"],
  ["APPROVAL", "tool call"],
  ["EXCEPTION", "exception"],
  ["RECONCILE", "repair of drift"],
]);

/** Failed operations, held plans and unknown outcomes wait for the caller too, but for no decision. */
function ofWaiting({ kind, id, title, since, expiresAt }: WaitingItem): Approval[] {
  const known = kinds.get(kind);
  return known === undefined ? [] : [{ kind: known, id, what: title, since, expiresAt, isYours: true }];
}

const ofHook = (hook: HookDetails & Times): Approval => ({
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

const ofException = ({
  id,
  requestedBy,
  policyId,
  reason,
  requestedAt,
  until,
}: PendingException): Approval => ({
  kind: "exception",
  id,
  what: `${requestedBy} asks for an exception from ${policyId}: ${reason}`,
  since: requestedAt,
  expiresAt: until,
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
    ...(has.has("repair of drift")
      ? [
          "See and decide a repair: plinth reconcile show <id>, plinth reconcile approve <id>, or refuse <id> --reason <text>",
        ]
      : []),
    ...(has.has("tool call")
      ? ["Decide a tool call: plinth assistant decide <id> approve, or refuse <reason>"]
      : []),
  ];
}
