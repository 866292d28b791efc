export const planTabs = [
  { value: "tasks", label: "Tasks" },
  { value: "graph", label: "Graph" },
  { value: "log", label: "Log" },
  { value: "planned", label: "Planned and done" },
] as const;

export type PlanTab = (typeof planTabs)[number]["value"];

export const taskFilters = ["all", "work", "failed", "waiting", "done"] as const;

export const logLevels = ["DEBUG", "INFO", "WARNING", "ERROR"] as const;

export type LogLevel = (typeof logLevels)[number];

export const graphStages = ["policies", "validation", "components", "all"] as const;
