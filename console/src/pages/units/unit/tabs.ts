export const unitTabs = ["components", "descriptor", "compliance", "drift", "access", "history"] as const;

export type UnitTab = (typeof unitTabs)[number];

export const componentViews = ["table", "graph"] as const;
