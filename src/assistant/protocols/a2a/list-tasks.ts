/** Pages of tasks. */
import type { Static } from "typebox";
import { isUuid } from "../../../platform/lib/ids.ts";
import { pageOf, readPageCursor } from "../../../platform/lib/page-cursor.ts";
import type { AssistantContext } from "../../context.ts";
import { taskStates } from "./fold-task.ts";
import { stateNameV1, taskOf } from "./dialects.ts";
import { invalidParams } from "./rpc-error.ts";
import type { listParams } from "./schema.ts";
import type { Call } from "./service.ts";
import { listTasks } from "./store.ts";
import { viewOf } from "./tasks.ts";

const usualPage = 50;

/** All runs of the caller, whichever interface started them. */
export async function list(ctx: AssistantContext, { version, params }: Call): Promise<object> {
  const given = params as Static<typeof listParams>;
  const { contextId, pageToken, historyLength = null, includeArtifacts } = given;
  const limit = given.pageSize ?? usualPage;
  const page = { tasks: [] as object[], nextPageToken: "", pageSize: limit, totalSize: 0 };
  const state = given.status === "TASK_STATE_UNSPECIFIED" ? null : (given.status ?? null);
  const known = state === null ? null : taskStates.find((each) => stateNameV1(each) === state);
  // No task of this server is ever in one of the other states.
  if (known === undefined || (contextId && !isUuid(contextId))) return page;
  const { rows, total } = await listTasks(ctx.assistant.database.db, {
    owner: ctx.actor.ref,
    sessionId: contextId || null,
    state: known,
    since: given.statusTimestampAfter ? dateOf("statusTimestampAfter", given.statusTimestampAfter) : null,
    after: pageToken ? placeOf(pageToken) : null,
    limit: limit + 1,
  });
  const { page: shown, next } = pageOf(rows, limit, ({ changedAt, id }) => [changedAt, id]);
  const views = await Promise.all(shown.map((row) => viewOf(ctx, row)));
  const tasks = views.map((view) => {
    const { artifacts = [], ...task } = taskOf(version, view, { historyLength }) as { artifacts?: object[] };
    return includeArtifacts === true ? { ...task, artifacts } : task;
  });
  return { ...page, tasks, nextPageToken: next ?? "", totalSize: total };
}

function placeOf(token: string): { changedAt: Date; id: string } {
  const [at = "", id = ""] = readPageCursor(token, 2) ?? [];
  if (!isUuid(id)) throw invalidParams([{ field: "pageToken", description: "is none of a list of tasks" }]);
  return { changedAt: dateOf("pageToken", at), id };
}

function dateOf(field: string, text: string): Date {
  // `Date` takes years that the database can't hold.
  const date = /^\d{4}-/.test(text) ? new Date(text) : null;
  if (date === null || Number.isNaN(date.getTime()))
    throw invalidParams([{ field, description: "holds no time" }]);
  return date;
}
