export const sources = ["catalogue", "unit", "archive", "descriptor"] as const;

export type Source = (typeof sources)[number];

export const previewViews = ["changes", "graph", "diff"] as const;

export type PreviewView = (typeof previewViews)[number];
