/** Pure: Markdown files with front matter, in which skills and agents are shipped, exported and imported. */
import { CORE_SCHEMA, YAMLException, dump, load } from "js-yaml";

export interface RecordFile {
  front: Record<string, unknown>;
  /** The text below the front matter. */
  body: string;
}

const fence = /^---\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m;

/** The file, or what is wrong with it. */
export function readRecordFile(text: string): RecordFile | string {
  const found = fence.exec(text);
  if (found?.index !== 0) return "does not begin with front matter between two lines of ---";
  try {
    const front: unknown = load(found[1] ?? "", { schema: CORE_SCHEMA, maxDepth: 10, maxAliases: 0 });
    if (typeof front !== "object" || front === null || Array.isArray(front))
      return "has front matter that is no mapping";
    const body = text.slice(found[0].length).replace(/^\r?\n/, "");
    return { front: { ...front }, body };
  } catch (error) {
    const reason = error instanceof YAMLException ? error.reason : "nested too deeply";
    return `has front matter that is no YAML: ${reason}`;
  }
}

export const printRecordFile = ({ front, body }: RecordFile): string =>
  `---\n${dump(front, { lineWidth: 118 })}---\n\n${body}`;
