/** Pure: where the output of a run leads. */
import { isRecord, textOr, type Values } from "../form/json.ts";
import { safeUrl } from "./safe-url.ts";

export interface OutputLink {
  title: string;
  entityRef: string | null;
  url: string | null;
}

/** Entities and repositories first; each target once. */
export const linksOf = (output: Values): OutputLink[] => {
  const { entityRef, remoteUrl, links } = output;
  const named = (Array.isArray(links) ? links : []).filter(isRecord).map((link) => ({
    title: textOr(link["title"], textOr(link["entityRef"], textOr(link["url"], "Link"))),
    entityRef: textOr(link["entityRef"], "") || null,
    url: safeUrl(link["url"]),
  }));
  const own: OutputLink[] = [
    { title: textOr(entityRef, ""), entityRef: textOr(entityRef, "") || null, url: null },
    { title: "Repository", entityRef: null, url: safeUrl(remoteUrl) },
  ];
  const known = new Set<string>();
  return [...own, ...named].filter((link) => {
    const target = link.entityRef ?? link.url;
    if (target === null || known.has(target)) return false;
    known.add(target);
    return true;
  });
};
