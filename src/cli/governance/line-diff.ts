/** Pure. The difference of two texts, line by line. */
export interface DiffLine {
  /** `gap` stands for equal lines that are left out. */
  kind: "same" | "removed" | "added" | "gap";
  text: string;
}

const contextLines = 2;
/** Cells of the table of common lines; larger texts are shown as replaced between their equal ends. */
const maxCells = 2_000_000;

/** The changed lines with those around them. */
export function diffOfLines(before: string, after: string): DiffLine[] {
  const a = linesOf(before);
  const b = linesOf(after);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const middle = middleDiff(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const all = [...a.slice(0, start).map(same), ...middle, ...a.slice(a.length - end).map(same)];
  return withoutFarLines(all);
}

const linesOf = (text: string): string[] => {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
};

const same = (text: string): DiffLine => ({ kind: "same", text });
const removed = (text: string): DiffLine => ({ kind: "removed", text });
const added = (text: string): DiffLine => ({ kind: "added", text });

/** By the longest common subsequence. */
function middleDiff(a: readonly string[], b: readonly string[]): DiffLine[] {
  if (a.length * b.length > maxCells) return [...a.map(removed), ...b.map(added)];
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] =
        a[i] === b[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      lines.push(same(a[i]!));
      i++;
      j++;
    } else if (common[(i + 1) * width + j]! >= common[i * width + j + 1]!) lines.push(removed(a[i++]!));
    else lines.push(added(b[j++]!));
  }
  return [...lines, ...a.slice(i).map(removed), ...b.slice(j).map(added)];
}

function withoutFarLines(lines: readonly DiffLine[]): DiffLine[] {
  const shown = new Set<number>();
  lines.forEach(({ kind }, at) => {
    if (kind === "same") return;
    for (let each = at - contextLines; each <= at + contextLines; each++) shown.add(each);
  });
  return lines.flatMap((line, at) => {
    if (shown.has(at)) return [line];
    return shown.has(at - 1) && at > 0 ? [{ kind: "gap", text: "" } as const] : [];
  });
}
