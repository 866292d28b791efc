/** Pure. The lists of `plinth list` that are one operation of the server each. */
import { paintOf, type Styles } from "../print/colors.ts";
import type { Cell, Column } from "../print/table.ts";
import { oneLine } from "../print/text.ts";
import { paging, type NextPage, type Query } from "./pages.ts";
import type {
  ListedAdapter,
  ListedEnvironment,
  ListedOperation,
  ListedOutcome,
  ListedUnit,
  WaitingItem,
} from "./wire.ts";

export interface Filters {
  environment?: string[];
  status?: string[];
  unit?: string;
  search?: string;
  settled?: boolean;
}

export interface ListKind {
  summary: string;
  description: string;
  path: string;
  next: NextPage<unknown>;
  filters: readonly (keyof Filters)[];
  toQuery: (filters: Filters) => Query;
  /** The operation accepts a single environment, so it is called once for each that is given. */
  hasOneEnvironment?: true;
  columns: readonly Column[];
  toRow: (item: never, styles: Styles) => (string | Cell)[];
}

/** A time to the second, in UTC. */
export const timeCell = (time: string | null): string => oneLine(time ?? "").replace(/\.\d+Z$/, "Z");

export const statusCell = (styles: Styles, status: string): Cell => ({
  text: oneLine(status),
  paint: paintOf(styles, status),
});

export const idColumn = (title: string): Column => ({ title, shrinks: "middle" });

const all = (values: readonly string[] | undefined): string | undefined => values?.join(",");

const units: ListKind = {
  summary: "list deployment units with their status",
  description:
    "Lists every unit on which an operation was started, once for each environment, with its status.",
  path: "/api/coordinator/v1/deployment-units",
  next: paging.cursor,
  filters: ["environment", "status", "search"],
  toQuery: ({ environment, status, search }) => ({
    environment: all(environment),
    status: all(status),
    search,
  }),
  columns: [
    idColumn("UNIT"),
    { title: "ENVIRONMENT" },
    { title: "STATUS" },
    { title: "VERSION" },
    { title: "OWNER", shrinks: true },
    { title: "CHANGED" },
  ],
  toRow: (unit: ListedUnit, styles) => [
    oneLine(unit.deploymentUnitId),
    oneLine(unit.environment),
    statusCell(styles, unit.status),
    oneLine(unit.descriptorVersion),
    oneLine(unit.owner ?? ""),
    timeCell(unit.updatedAt),
  ],
};

const operations: ListKind = {
  summary: "list operations with their plans",
  description: "Lists what was started, the newest first, with the token of its plan, and why it waits.",
  path: "/api/coordinator/v2/provisioning-operations",
  next: paging.startTime,
  filters: ["environment", "status", "unit"],
  toQuery: ({ environment, status, unit }) => ({
    environment: all(environment),
    status: all(status),
    "deployment-unit-id": unit,
  }),
  columns: [
    { title: "PLAN" },
    { title: "ACTION" },
    idColumn("UNIT"),
    { title: "ENVIRONMENT" },
    { title: "STATUS" },
    { title: "DONE", align: "right" },
    { title: "STARTED" },
    { title: "WAITS FOR", shrinks: true },
  ],
  toRow: ({ operation, components }: ListedOperation, styles) => [
    oneLine(operation.executionPlanId),
    oneLine(operation.provisioningAction),
    oneLine(operation.deploymentUnitId),
    oneLine(operation.environment),
    statusCell(styles, operation.status),
    `${components.filter(({ operationStatus }) => operationStatus === "SUCCEEDED").length}/${components.length}`,
    timeCell(operation.startTime),
    oneLine(operation.waiting?.reason ?? ""),
  ],
};

const adapters: ListKind = {
  summary: "list tech adapters",
  description: "Lists the tech adapters with the environments in which each has an address.",
  path: "/api/coordinator/v1/tech-adapters",
  next: paging.offset,
  filters: ["search"],
  toQuery: ({ search }) => ({ search }),
  columns: [
    idColumn("ADAPTER"),
    { title: "VERSION" },
    { title: "NAME", shrinks: true },
    { title: "ENVIRONMENTS", shrinks: true },
  ],
  toRow: ({ id, version, name, deployments }: ListedAdapter) => [
    oneLine(id),
    oneLine(version),
    oneLine(name),
    deployments.environments
      .map(({ environment, enabled }) => `${oneLine(environment)}${enabled ? "" : " (disabled)"}`)
      .join(", "),
  ],
};

const environments: ListKind = {
  summary: "list environments",
  description: "Lists the configured environments, in the order of the configuration.",
  path: "/api/coordinator/v1/environments",
  next: paging.once,
  filters: [],
  toQuery: () => ({}),
  columns: [
    { title: "ENVIRONMENT" },
    { title: "UNITS", align: "right" },
    { title: "ACTIVE OPERATIONS", align: "right" },
  ],
  toRow: ({ name, deploymentUnits, activeOperations }: ListedEnvironment) => [
    oneLine(name),
    String(deploymentUnits),
    String(activeOperations),
  ],
};

const unknownOutcomes: ListKind = {
  summary: "list calls with an unknown outcome",
  description:
    "Lists the tasks whose adapter may have acted although no answer says how it ended, the oldest first, with what to do.",
  path: "/api/coordinator/v1/unknown-outcomes",
  next: paging.after,
  filters: ["environment", "unit", "settled"],
  toQuery: ({ environment, unit, settled }) => ({
    environment: environment?.[0],
    "deployment-unit-id": unit,
    settled: settled ? "true" : undefined,
  }),
  hasOneEnvironment: true,
  columns: [
    { title: "PLAN" },
    idColumn("TASK"),
    { title: "ENVIRONMENT" },
    { title: "STATE" },
    { title: "SINCE" },
    { title: "NEXT", shrinks: true },
  ],
  toRow: (outcome: ListedOutcome, styles) => [
    oneLine(outcome.planId),
    oneLine(outcome.taskId),
    oneLine(outcome.environment),
    statusCell(styles, outcome.state),
    timeCell(outcome.since),
    oneLine(outcome.next),
  ],
};

const waiting: ListKind = {
  summary: "list what waits for you",
  description:
    "Lists what waits for the caller in all areas, the oldest first: decisions, failed operations, plans that wait for their " +
    "environment to open.",
  path: "/api/coordinator/v1/waiting",
  next: paging.cursor,
  filters: [],
  toQuery: () => ({}),
  columns: [
    { title: "KIND" },
    idColumn("ID"),
    { title: "SINCE" },
    { title: "EXPIRES" },
    { title: "WHAT", shrinks: true },
  ],
  toRow: ({ kind, id, since, expiresAt, title }: WaitingItem) => [
    oneLine(kind),
    oneLine(id),
    timeCell(since),
    timeCell(expiresAt),
    oneLine(title),
  ],
};

export const kinds: Record<string, ListKind> = {
  units,
  operations,
  adapters,
  environments,
  "unknown-outcomes": unknownOutcomes,
  waiting,
};
