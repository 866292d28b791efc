/**
 * What the coordinator is expected to do, written a second time in the simplest way: one unit in one environment as a small
 * state machine. It knows nothing of the implementation; the texts that it follows are the specification's.
 */

/** b and c need a; c may be left out of the descriptor. */
export const parts = ["a", "b", "c"] as const;
export type Part = (typeof parts)[number];
const needs: Record<Part, readonly Part[]> = { a: [], b: ["a"], c: ["a"] };

export type ComponentStatus = "DEPLOYED" | "NOT_DEPLOYED" | "CORRUPT";
type Target = "DEPLOYED" | "NOT_DEPLOYED";
type Action = "DEPLOY" | "REDEPLOY" | "UNDEPLOY" | "NONE";

/** How an adapter plays a component. */
export const behaviours = {
  done: "good",
  slow: "good",
  async: "good",
  fails: "bad",
  refuses: "bad",
  breaks: "bad",
  hangs: "never",
  invalid: "bad",
} as const;
export type Behaviour = keyof typeof behaviours;

/** What a start or a preview asks for. */
export interface StartRequest {
  /** Version of each component, and whether the descriptor has c. */
  versions: Record<Part, number>;
  dropsC: boolean;
  /** Null is left out. */
  targets: Record<Part, Target | null>;
  mode: "strict" | "unsafe";
  preventRedeploy: boolean;
  removeData: boolean;
}

export interface KnownComponent {
  status: ComponentStatus;
  version: number;
}

export interface ActivePlan {
  token: string;
  request: StartRequest;
  actions: Map<Part, Action>;
  /** By part: what its adapter may have been playing while the plan ran. */
  behavioursDuring: Map<Part, Set<Behaviour>>;
  terminated: "safe" | "forced" | null;
  /** A worker was killed while it was active: a call that was under way then is made again. */
  isMadeAgain: boolean;
}

export interface UnitModel {
  components: Map<Part, KnownComponent>;
  /** Components of the last descriptor that changed anything. */
  wanted: Part[];
  plan: ActivePlan | null;
  ended: string[];
}

export const newUnit = (): UnitModel => ({ components: new Map(), wanted: [], plan: null, ended: [] });

const listed = ({ dropsC }: StartRequest): Part[] => parts.filter((part) => part !== "c" || !dropsC);

const statusOf = (unit: UnitModel, part: Part): ComponentStatus =>
  unit.components.get(part)?.status ?? "NOT_DEPLOYED";

export interface Expected {
  verdict: "OK" | "KO" | "invalid";
  actions: Map<Part, Action>;
}

/** The plan that a unit at rest gets. */
export function expectPlan(unit: UnitModel, request: StartRequest, hasAdapter: boolean): Expected {
  const inUnit = listed(request);
  const actions = new Map<Part, Action>();
  const names = parts.filter((part) => request.targets[part] !== null);
  const isUnknown = names.some((part) => !inUnit.includes(part) && statusOf(unit, part) === "NOT_DEPLOYED");
  const namesRemoved = names.some(
    (part) =>
      !inUnit.includes(part) &&
      statusOf(unit, part) !== "NOT_DEPLOYED" &&
      request.targets[part] === "DEPLOYED",
  );
  const isMissing = request.mode === "strict" && inUnit.some((part) => request.targets[part] === null);
  if (isUnknown || namesRemoved || isMissing || !hasAdapter) return { verdict: "invalid", actions };
  for (const part of parts) {
    const now = statusOf(unit, part);
    if (!inUnit.includes(part)) {
      if (now !== "NOT_DEPLOYED") actions.set(part, "UNDEPLOY");
    } else actions.set(part, baseAction(now, request, { part, known: unit.components.get(part) }));
  }
  const ends = (part: Part): boolean => {
    const action = actions.get(part) ?? "NONE";
    return action === "NONE" ? statusOf(unit, part) === "DEPLOYED" : action !== "UNDEPLOY";
  };
  const isTorn = parts.some((part) => ends(part) && needs[part].some((need) => !ends(need)));
  return { verdict: isTorn ? "KO" : "OK", actions };
}

function baseAction(
  now: ComponentStatus,
  { targets, versions, preventRedeploy }: StartRequest,
  { part, known }: { part: Part; known: KnownComponent | undefined },
): Action {
  const target = targets[part];
  if (target === null) return "NONE";
  if (target === "NOT_DEPLOYED") return now === "NOT_DEPLOYED" ? "NONE" : "UNDEPLOY";
  if (now !== "DEPLOYED") return "DEPLOY";
  return preventRedeploy && known?.version === versions[part] ? "NONE" : "REDEPLOY";
}

export function accept(
  unit: UnitModel,
  plan: Omit<ActivePlan, "behavioursDuring" | "terminated" | "isMadeAgain">,
  playing: Record<Part, Behaviour>,
): void {
  const behavioursDuring = new Map(parts.map((part) => [part, new Set([playing[part]])]));
  unit.plan = { ...plan, behavioursDuring, terminated: null, isMadeAgain: false };
}

const isProvision = (action: Action | undefined): boolean => action === "DEPLOY" || action === "REDEPLOY";

export type TaskEnd = "COMPLETED" | "FAILED" | "SKIPPED" | "TERMINATED" | "RUNNING";

/** Keys of the tasks of a plan, with the tasks that each waits for. */
export function tasksOf({ actions }: ActivePlan): Map<string, { part: Part; waits: string[] }> {
  const tasks = new Map<string, { part: Part; waits: string[] }>();
  const provisioned = parts.filter((part) => isProvision(actions.get(part)));
  const removed = parts.filter((part) => actions.get(part) === "UNDEPLOY");
  for (const part of provisioned) tasks.set(`validate:${part}`, { part, waits: [] });
  const validations = [...tasks.keys()];
  for (const part of provisioned) {
    const waits = needs[part].filter((need) => provisioned.includes(need)).map((need) => `provision:${need}`);
    tasks.set(`provision:${part}`, { part, waits: [...validations, ...waits] });
  }
  for (const part of removed) {
    const above = removed.filter((other) => needs[other].includes(part));
    tasks.set(`unprovision:${part}`, {
      part,
      waits: [...validations, ...above.map((other) => `unprovision:${other}`)],
    });
  }
  return tasks;
}

/** What a task comes to when it runs under a behaviour. */
function endUnder(key: string, behaviour: Behaviour): TaskEnd {
  if (key.startsWith("validate:")) return behaviour === "invalid" ? "FAILED" : "COMPLETED";
  if (behaviour === "invalid") return "COMPLETED";
  const kind = behaviours[behaviour];
  return kind === "good" ? "COMPLETED" : kind === "bad" ? "FAILED" : "RUNNING";
}

/** How each task may end; with nothing but `RUNNING` where it never does by itself. */
export function possibleEnds(plan: ActivePlan): Map<string, Set<TaskEnd>> {
  const ends = new Map<string, Set<TaskEnd>>();
  // A task that waits for a later one in the list is met again.
  const tasks = tasksOf(plan);
  const endsOf = (key: string): Set<TaskEnd> => {
    const known = ends.get(key);
    if (known) return known;
    const { part, waits } = tasks.get(key)!;
    const before = waits.map(endsOf);
    const found = new Set<TaskEnd>();
    if (before.some((set) => [...set].some((end) => end !== "COMPLETED"))) found.add("SKIPPED");
    if (before.every((set) => set.has("COMPLETED")))
      for (const behaviour of plan.behavioursDuring.get(part)!) found.add(endUnder(key, behaviour));
    if (plan.terminated) found.add("TERMINATED");
    ends.set(key, found);
    return found;
  };
  for (const key of tasks.keys()) endsOf(key);
  return ends;
}

/** The plan can't have ended: something that certainly runs never ends by itself, and nobody stops it. */
export const isCertainlyActive = (plan: ActivePlan): boolean =>
  plan.terminated !== "forced" &&
  [...possibleEnds(plan).values()].some((ends) => ends.size === 1 && ends.has("RUNNING"));

/** The plan may hang until somebody stops it by force. */
export const mayHang = (plan: ActivePlan): boolean =>
  plan.terminated !== "forced" && [...possibleEnds(plan).values()].some((ends) => ends.has("RUNNING"));

/** What was seen of a plan that has ended. */
export interface SeenEnd {
  status: string;
  operation: string;
  tasks: Map<string, { status: TaskEnd; wasStarted: boolean }>;
  components: Map<Part, ComponentStatus>;
}

/** Takes an ended plan into the unit's state; tells everything in which what was seen is not what may be. */
export function conclude(unit: UnitModel, seen: SeenEnd): string[] {
  const { plan } = unit;
  if (!plan) return ["a plan ended that nobody started"];
  const wrong: string[] = [];
  const expected = possibleEnds(plan);
  if ([...expected.keys()].toSorted().join() !== [...seen.tasks.keys()].toSorted().join())
    wrong.push(`the tasks are ${[...seen.tasks.keys()].join()}, not ${[...expected.keys()].join()}`);
  const graph = tasksOf(plan);
  for (const [key, { status, wasStarted }] of seen.tasks) {
    const allowed = expected.get(key);
    if (allowed && !allowed.has(status))
      wrong.push(`${key} ended ${status}, not ${[...allowed].join(" or ")}`);
    const waits = graph.get(key)?.waits ?? [];
    const isFree = waits.every((before) => seen.tasks.get(before)?.status === "COMPLETED");
    if (wasStarted && !isFree) wrong.push(`${key} was started before what it waits for had completed`);
    if (status === "SKIPPED" && isFree) wrong.push(`${key} was skipped for nothing`);
  }
  const statuses = [...seen.tasks.values()].map(({ status }) => status);
  const isWhole = statuses.every((status) => status === "COMPLETED");
  const status = isWhole ? "COMPLETED" : plan.terminated ? "TERMINATED" : "FAILED";
  if (seen.status !== status) wrong.push(`the plan is ${seen.status}, not ${status}`);
  const operation = status === "COMPLETED" ? "SUCCEEDED" : status;
  if (seen.operation !== operation) wrong.push(`the operation is ${seen.operation}, not ${operation}`);
  const wasReached = [...seen.tasks].some(([key, task]) => !key.startsWith("validate:") && task.wasStarted);
  if (wasReached || status === "COMPLETED") unit.wanted = listed(plan.request);
  for (const part of parts) wrong.push(...concludePart(unit, plan, { part, seen }));
  unit.plan = null;
  unit.ended.push(plan.token);
  return wrong;
}

function concludePart(
  unit: UnitModel,
  plan: ActivePlan,
  { part, seen }: { part: Part; seen: SeenEnd },
): string[] {
  const before = statusOf(unit, part);
  const key = [`provision:${part}`, `unprovision:${part}`].find((each) => seen.tasks.has(each));
  const task = seen.tasks.get(key ?? "");
  const allowed = new Set<ComponentStatus>();
  if (task?.status === "COMPLETED") allowed.add(key?.startsWith("provision") ? "DEPLOYED" : "NOT_DEPLOYED");
  else if (task?.status === "FAILED") {
    // Where nothing ever was, a refusal of the first call says that nothing has begun. A refusal of the same call made again
    // says nothing about the first one.
    const isFirst = key === `provision:${part}` && !unit.components.has(part);
    for (const behaviour of plan.behavioursDuring.get(part)!) {
      const isUntouched = isFirst && behaviour === "refuses";
      if (isUntouched) allowed.add(before);
      if (!isUntouched || plan.isMadeAgain) allowed.add("CORRUPT");
    }
  } else allowed.add(before);
  // A call that was cut may not have got as far as the adapter.
  if (task?.status === "TERMINATED" && task.wasStarted) allowed.add("CORRUPT");
  const now = seen.components.get(part) ?? "NOT_DEPLOYED";
  if (unit.components.has(part) || now !== "NOT_DEPLOYED") {
    const isNew = task?.status === "COMPLETED" && now === "DEPLOYED";
    const version = isNew ? plan.request.versions[part] : (unit.components.get(part)?.version ?? 0);
    unit.components.set(part, { status: now, version });
  }
  return allowed.has(now) ? [] : [`${part} is ${now}, not ${[...allowed].join(" or ")}`];
}

/** The status of a unit at rest. */
export function unitStatus({ components, wanted }: UnitModel): string {
  const statuses = [...components.values()].map(({ status }) => status);
  if (statuses.includes("CORRUPT")) return "CORRUPT";
  const deployed = statuses.filter((status) => status === "DEPLOYED").length;
  if (deployed === 0) return "NOT_DEPLOYED";
  const isWhole =
    wanted.every((part) => components.get(part)?.status === "DEPLOYED") && deployed === wanted.length;
  return isWhole ? "DEPLOYED" : "PARTIALLY_DEPLOYED";
}
