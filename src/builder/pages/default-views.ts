/** Pure. What pages show until somebody says something else. */
import type { PageId, ViewContent } from "./schema.ts";

const text = (label: string, path: string) => ({ label, path, kind: "text" as const });

export const defaultViews: Readonly<Record<PageId, ViewContent>> = {
  dataProductPage: {
    grid: [
      text("Description", "metadata.description"),
      text("Domain", "spec.domain"),
      text("Version", "spec.mesh.version"),
    ],
    side: [text("Owner", "spec.owner"), { label: "Tags", path: "metadata.tags", kind: "list" }],
  },
  outputPortPage: {
    grid: [
      text("Description", "metadata.description"),
      text("Platform", "spec.mesh.platform"),
      text("Version", "spec.mesh.version"),
    ],
    side: [text("Owner", "spec.owner"), text("Technology", "spec.mesh.technology")],
  },
};
