/** Pure: reads the files of an archive as records, and reports all problems. */
import { parseJson } from "../../../platform/http/input/json.ts";
import type { InputProblem } from "../../../platform/http/operation.ts";
import { bodyProblem } from "../../body-problems.ts";
import { plainUuid } from "../../record-schema.ts";
import { type PackedRecord, archiveLimits } from "./archive.ts";
import type { RecordKind } from "./own-records.ts";
import {
  agentCandidate,
  skillCandidate,
  type PortableAgent,
  type PortableSkill,
  readRecordFile,
  type RecordFile,
  readAgent,
  readExternalAgent,
  readMore,
  readSkill,
  type Checked,
  type ExternalAgentFile,
} from "./portable.ts";

export interface Imported<T> {
  path: string;
  key: string;
  /** Null when the record is identified by its name. */
  id: string | null;
  record: T;
  /** Keys of shipped agents that have or call it. */
  agents: string[];
}

export interface ImportedRecords {
  skills: Imported<PortableSkill>[];
  agents: Imported<PortableAgent>[];
  externalAgents: Imported<ExternalAgentFile>[];
  /** Keys of all files: a reference to a file that can't be read is no second problem. */
  skillKeys: Set<string>;
  agentKeys: Set<string>;
  problems: InputProblem[];
}

export function readRecords(packed: readonly PackedRecord[]): ImportedRecords {
  const keysOf = (kind: RecordKind): string[] =>
    packed.filter((each) => each.kind === kind).map(({ key }) => key);
  const all: ImportedRecords = {
    skills: [],
    agents: [],
    externalAgents: [],
    skillKeys: new Set(keysOf("skill")),
    agentKeys: new Set(keysOf("agent")),
    problems: [],
  };
  for (const kind of ["skill", "agent", "external_agent"] as const) {
    if (keysOf(kind).length > archiveLimits.records)
      all.problems.push(bodyProblem(["archive"], `has more than ${archiveLimits.records} files of one kind`));
  }
  for (const each of packed) readInto(all, each);
  return all;
}

function readInto(all: ImportedRecords, { kind, path, key, bytes }: PackedRecord): void {
  const report = (problems: readonly InputProblem[]): null => {
    for (const problem of problems) all.problems.push({ ...problem, path: [path, ...problem.path] });
    return null;
  };
  if (kind === "external_agent") {
    const parsed = parseJson(bytes);
    if (parsed.problems.length > 0) return void report(parsed.problems);
    const record = valueOf(readExternalAgent(parsed.value), report);
    if (record !== null) all.externalAgents.push({ path, key, id: idOf(record.id), record, agents: [] });
    return;
  }
  const file = readText(bytes);
  if (typeof file === "string") return void report([bodyProblem([], file)]);
  const { metadata } = file.front;
  const more = valueOf(readMore(moreOf(metadata)), report);
  const rest = { path, key, id: idOf(more?.id), agents: more?.agents ?? [] };
  if (kind === "skill") {
    const record = valueOf(readSkill(skillCandidate(key, file)), report);
    if (record !== null) all.skills.push({ ...rest, record });
  } else {
    const record = valueOf(readAgent(agentCandidate(key, file)), report);
    if (record !== null) all.agents.push({ ...rest, record });
  }
}

const idOf = (id: string | undefined): string | null => (id === undefined ? null : plainUuid(id));

function moreOf(metadata: unknown): unknown {
  if (typeof metadata !== "object" || metadata === null) return {};
  const { id, agents } = metadata as Record<string, unknown>;
  return { ...(id === undefined ? {} : { id }), ...(agents === undefined ? {} : { agents }) };
}

function valueOf<T>(checked: Checked<T>, report: (problems: readonly InputProblem[]) => null): T | null {
  return "value" in checked ? checked.value : report(checked.problems);
}

/** Characters that PostgreSQL can't store, as JSON writes them: NUL and lone surrogates. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

function readText(bytes: Buffer): RecordFile | string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return "is not UTF-8 text";
  }
  const file = readRecordFile(text);
  if (typeof file === "string") return file;
  return unstorable.test(JSON.stringify(file)) ? "holds a character that can't be stored" : file;
}
