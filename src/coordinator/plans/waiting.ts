/** Explains why a plan or a task waits, since when, and what happens next. Pure, apart from types of rows. */
import { listSome } from "../../platform/lib/list-some.ts";
import { maxAttempts, type LastError } from "../../platform/run-engine/last-error.ts";
import type { SlotsState } from "../execution/slots.ts";
import { isTerminal } from "../execution/transitions.ts";
import { stages, type Waiting } from "../execution/types.ts";
import type { PlanView, Situation, TaskView } from "./store.ts";

export interface Polling {
  initialMs: number;
  factor: number;
  maxMs: number;
}

export interface WaitingContext {
  plan: PlanView;
  tasks: Map<string, TaskView>;
  /** The earliest stage with a task that has not completed. */
  openStage: number;
  /** By stage: tasks of earlier stages that have not completed, and when the earlier stages ended. */
  before: Map<number, { open: TaskView[]; endedAt: number }>;
  /** Positions of the tasks that are ready, within their plan. */
  places: Map<string, number>;
  now: Date;
  polling: Polling;
}

export function waitingContextOf(
  plan: PlanView,
  tasks: readonly TaskView[],
  { now, polling }: { now: Date; polling: Polling },
): WaitingContext {
  const byId = new Map(tasks.map((task) => [task.taskId, task]));
  const openStage = openStageOf(tasks);
  const places = new Map<string, number>();
  for (const task of tasks) {
    const isReady =
      task.status === "WAITING" &&
      task.stage === openStage &&
      task.dependsOn.every((id) => byId.get(id)?.status === "COMPLETED");
    if (isReady) places.set(task.taskId, places.size + 1);
  }
  const before: WaitingContext["before"] = new Map();
  for (const stage of new Set(tasks.map((task) => task.stage))) {
    const earlier = tasks.filter((task) => task.stage < stage);
    before.set(stage, {
      open: earlier.filter(({ status }) => status !== "COMPLETED"),
      endedAt: earlier.reduce((last, { stoppedAt }) => Math.max(last, stoppedAt?.getTime() ?? 0), 0),
    });
  }
  return { plan, tasks: byId, openStage, before, places, now, polling };
}

const openStageOf = (tasks: readonly TaskView[]): number =>
  tasks.reduce(
    (least, { stage, status }) => (status === "COMPLETED" ? least : Math.min(least, stage)),
    Infinity,
  );

/** Null for a task that has ended; otherwise there is always a reason. */
export function waitingOf(task: TaskView, context: WaitingContext): Waiting | null {
  const { plan } = context;
  if (isTerminal(task.status)) return null;
  const undriven = ofUndriven(plan);
  if (undriven) return undriven;
  if (task.status === "WAITING") return ofWaiting(task, context);
  return ofStarted(task, context);
}

/** Why the plan itself has not ended yet; null when it has. */
export function planWaiting({ plan, tasks }: WaitingContext): Waiting | null {
  if (isTerminal(plan.status)) return null;
  const undriven = ofUndriven(plan);
  if (undriven) return undriven;
  const all = [...tasks.values()];
  const open = all.filter(({ status }) => !isTerminal(status));
  const atWork = open.filter(({ status }) => status !== "WAITING");
  const since = iso(plan.startedAt ?? plan.createdAt);
  if (open.length === 0) return { reason: "Every task has ended; the plan is about to.", since };
  const what = atWork.length > 0 ? atWork : open;
  const rest = open.length - what.length;
  return {
    reason: `${plan.status === "TERMINATING" ? "Is being terminated; waits" : "Waits"} for ${names(what)}.`,
    since,
    blockedBy: idsOf(what),
    next: rest > 0 ? `Then ${rest} more task${rest === 1 ? "" : "s"}.` : "Then the plan ends.",
  };
}

/** Why a stage has not ended; null when it has. */
export function stageWaiting(members: readonly TaskView[], { plan }: WaitingContext): Waiting | null {
  const open = members.filter(({ status }) => !isTerminal(status));
  if (open.length === 0) return null;
  const undriven = ofUndriven(plan);
  if (undriven) return undriven;
  const since = iso(plan.startedAt ?? plan.createdAt);
  return {
    reason: `Waits for ${names(open)}.`,
    since,
    blockedBy: idsOf(open),
    next: "The next stage begins.",
  };
}

/** What happens next to a queued operation. */
export const atItsTurn = "At its turn it is planned on the state that the unit then has.";

/** Why the first of a free unit has not begun. */
export const firstOfFreeUnit = "Its turn on the unit has come; it is about to be planned.";
export const cannotBegin = "Its turn on the unit has come, but it could not begin yet: ";
export const startsAgain = "It is tried again, and ends as failed when that takes too long.";

/** Why a plan waits whose worker had to release it. */
export const couldNotGoOn = "Its worker could not go on: ";
export const goesOnLater = `A worker tries again; after ${maxAttempts} attempts without progress the plan ends, unless the database is slow or full.`;

/** What comes next for a plan whose processes keep dying: the plan itself may be the cause. */
export const goesOnAfterDeaths =
  "A worker takes it again then. If it is what ends them, which their logs may tell, terminate it.";

/** What happens next to a plan that waits for a change of access, or for a call that is being made again. */
export const afterAccess = "A worker takes it.";
export const repeatedCallOf = "Waits until a call whose outcome was unknown has been made again, of plan ";

/** Why the whole plan waits: its position in a queue, or that no worker drives it. */
function ofUndriven(plan: PlanView): Waiting | null {
  const { line = null, repeat = null, turnAt = null, isDriven = true, lastError } = plan.situation ?? {};
  if (plan.queued) return ofQueued(plan, line);
  if (plan.approvalStatus === "PENDING" && plan.approval && plan.status === "WAITING") {
    const { rule, approvers, since, expiresAt, actionId } = plan.approval;
    const who = approvers.length === 0 ? "an operator" : `${approvers.join(", ")} or an operator`;
    const until = expiresAt === null ? "" : ` It expires at ${expiresAt}.`;
    return {
      reason: `Waits for the approval of ${who}, by the rule "${rule}" (action ${actionId}).${until}`,
      since,
      next: "Once it is approved a worker takes the plan; otherwise the plan ends without having begun.",
    };
  }
  if (plan.hold && plan.status === "WAITING") {
    const { reason, since } = plan.hold;
    const next = "A worker takes the plan once operations may begin in its environment.";
    return { reason, since, next };
  }
  if (!plan.startedAt) {
    const since = iso(turnAt ?? plan.createdAt);
    if (line?.behind) {
      const { position, behind } = line;
      const reason = `Waits for the change of access of plan ${behind}.`;
      return { reason, since, position, waitsForPlan: behind, next: afterAccess };
    }
    if (lastError) return ofError(lastError);
    if (repeat) {
      const { plan: behind, until } = repeat;
      const next = `${afterAccess} It does so by ${until} at the latest.`;
      return { reason: `${repeatedCallOf}${behind}.`, since, waitsForPlan: behind, next };
    }
    return {
      reason: "No worker has taken the plan yet.",
      since,
      next: "A worker that has room for another plan takes it.",
    };
  }
  if (isDriven) return null;
  if (lastError) return ofError(lastError);
  const next = "A worker takes it over and goes on from where it was.";
  return { reason: "Its worker has gone.", since: iso(plan.startedAt), next };
}

const ofError = ({ reason, since, attempts, nextAttemptAt, deaths }: LastError): Waiting => ({
  reason: `${couldNotGoOn}${reason}`,
  since,
  attempts,
  nextAttemptAt,
  next: deaths === undefined ? goesOnLater : goesOnAfterDeaths,
});

function ofQueued({ createdAt }: PlanView, line: Situation["line"]): Waiting {
  const { position = 1, behind = null, lastError } = line ?? {};
  const place = line ? { position } : {};
  if (behind !== null)
    return {
      reason: `Waits for plan ${behind}; position ${position} in the line of its unit.`,
      since: iso(createdAt),
      ...place,
      waitsForPlan: behind,
      next: atItsTurn,
    };
  if (!lastError) return { reason: firstOfFreeUnit, since: iso(createdAt), ...place, next: atItsTurn };
  const { reason, since } = lastError;
  return { reason: `${cannotBegin}${reason}`, since, ...place, next: startsAgain };
}

function ofWaiting(task: TaskView, context: WaitingContext): Waiting {
  const { plan, tasks, openStage, places } = context;
  const since = iso(plan.startedAt ?? plan.createdAt);
  if (plan.status === "TERMINATING") {
    const next = "It ends with the plan, without having begun.";
    return { reason: "The plan is being terminated.", since, next };
  }
  const before = task.dependsOn
    .map((id) => tasks.get(id))
    .filter((other): other is TaskView => other !== undefined && other.status !== "COMPLETED");
  const earlier = context.before.get(task.stage)?.open ?? [];
  const failed = [...before, ...earlier].filter(({ status }) => isTerminal(status));
  if (failed.length > 0) {
    const reason = `Will not begin, because of ${names(failed)}.`;
    return { reason, since, blockedBy: idsOf(failed), next: "It is skipped when nothing runs any more." };
  }
  const next = "It begins when they have completed.";
  if (before.length > 0)
    return { reason: `Waits for ${names(before)}.`, since, blockedBy: idsOf(before), next };
  if (openStage < task.stage) {
    const reason = stageReasons.get(openStage) ?? "Waits until every component is done.";
    return { reason, since, blockedBy: idsOf(earlier), next };
  }
  return ofReady(task, { context, place: places.get(task.taskId) ?? 1, since: readySince(task, context) });
}

const stageReasons = new Map<number, string>([
  [stages.policies, "Waits until the policies hold for every component."],
  [stages.validate, "Waits until every component is found valid."],
]);

function ofReady(
  task: TaskView,
  { context, place, since }: { context: WaitingContext; place: number; since: string },
): Waiting {
  if (task.action === "POLICY_VALIDATE_COMPONENT") {
    return { reason: "Waits for the evaluation of the plan's policies.", since, next: verdictNext };
  }
  const slots = context.plan.situation?.slots ?? null;
  const full = slots && fullLimit(slots, task, context.plan.environment);
  const why = full ? ` (${full.text})` : "";
  const others = (slots?.waitingUnits ?? 1) - 1;
  const otherUnits =
    others > 0 ? ` ${others} other unit${others === 1 ? "" : "s"} wait too; units take turns.` : "";
  return {
    reason: `Ready; waits for a free place among the tasks that may run at once${why}, as number ${place} of its plan.${otherUnits}`,
    since,
    position: place,
    ...(full ? { limit: full.name } : {}),
    next: "It begins when its turn for a place comes.",
  };
}

/** The narrowest limit that is used up; the last slot of a limit may be reserved for another unit. */
function fullLimit(
  slots: SlotsState,
  task: TaskView,
  environment: string,
): { name: string; text: string } | null {
  const candidates = [
    ["parallelTasksPerAdapter", slots.adapters[task.adapterUrl ?? ""], "on its adapter"],
    ["environments.parallelTasks", slots.environments[environment], `in ${environment}`],
    ["parallelTasks", slots.total, "in its worker"],
  ] as const;
  for (const [name, usage, where] of candidates) {
    const own = usage?.own;
    if (own && own.used >= own.share - 1) {
      const here = `${own.used} of its worker's share of ${own.share}`;
      return { name, text: `${usage.used} of ${usage.limit} are at work ${where} in all processes, ${here}` };
    }
    if (usage && usage.used >= usage.limit - 1) {
      return { name, text: `${usage.used} of ${usage.limit} are at work ${where}` };
    }
  }
  return null;
}

const verdictNext = "What they say ends the task.";

/** When the last of its predecessors had ended. */
function readySince(task: TaskView, { plan, tasks, before }: WaitingContext): string {
  const needed = task.dependsOn.map((id) => tasks.get(id)?.stoppedAt?.getTime() ?? 0);
  const begun = (plan.startedAt ?? plan.createdAt).getTime();
  return iso(new Date(Math.max(begun, before.get(task.stage)?.endedAt ?? 0, ...needed)));
}

function ofStarted(task: TaskView, { plan, now, polling }: WaitingContext): Waiting {
  const startedAt = task.startedAt ?? plan.startedAt ?? plan.createdAt;
  if (task.waiting) {
    const next = task.token ? "It is asked again." : "The same call is made again.";
    return { next, ...task.waiting };
  }
  const since = task.intentAt ?? startedAt;
  if (task.action === "POLICY_VALIDATE_COMPONENT") {
    return { reason: "The policies are being evaluated.", since: iso(since), next: verdictNext };
  }
  if (!task.token) {
    const next = "Its answer ends the task, or brings a token to poll.";
    const attempts = task.attempts > 1 ? { attempts: task.attempts } : {};
    return { reason: "Its call is under way; the answer is awaited.", since: iso(since), ...attempts, next };
  }
  if (task.status === "TERMINATING") {
    const next = "It is polled until it has stopped, or the grace time is over.";
    return { reason: "The adapter has been asked to stop.", since: iso(since), next };
  }
  return {
    reason: "The adapter is at work; its token is polled.",
    since: iso(since),
    nextAttemptAt: iso(nextPoll(since, now, polling)),
    next: "The next poll, by about that time.",
  };
}

/** Estimated from the poll intervals alone: how long each poll took is not stored. */
export function nextPoll(since: Date, now: Date, { initialMs, factor, maxMs }: Polling): Date {
  let at = since.getTime();
  for (let delayMs = initialMs; ; delayMs = Math.min(delayMs * factor, maxMs)) {
    at += delayMs;
    if (at > now.getTime()) return new Date(at);
    // From here on the interval is constant.
    if (factor === 1 || delayMs >= maxMs) {
      return new Date(at + (Math.floor((now.getTime() - at) / delayMs) + 1) * delayMs);
    }
  }
}

const iso = (date: Date): string => date.toISOString();

/** Maximum number of ids that a reason lists. */
const maxIds = 10;

const idsOf = (tasks: readonly TaskView[]): string[] => tasks.slice(0, maxIds).map(({ taskId }) => taskId);

/** Each once: several tasks may be about one component. */
function names(tasks: readonly TaskView[]): string {
  return listSome([...new Set(tasks.map((task) => task.componentName ?? task.taskId))], 3);
}
