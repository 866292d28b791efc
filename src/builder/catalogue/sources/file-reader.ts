/** Reads and parses files of one source within the limits of one location. */
import { Failure, type Problem } from "../../../platform/errors/failure.ts";
import type { YamlValue } from "../entities/yaml.ts";
import { splitText } from "../entities/yaml-documents.ts";
import { yieldToEventLoop } from "../../../platform/lib/files/small-files.ts";
import { overrunReason, type Renderer } from "../../renderer.ts";
import { lengthOf } from "../../templates/engine/template-value.ts";
import type { FileToRead, ReadDocuments } from "../entities/read-documents.ts";
import { unreadable, type LocationSource } from "./source.ts";
import { folderOf } from "./target.ts";
import type { IncludeReader } from "./includes.ts";

/** Limits of one location, including everything it refers to. */
export const loadLimits = {
  fileBytes: 10 * 1024 * 1024,
  /** A file counts again for each document that includes it. */
  bytes: 100 * 1024 * 1024,
  /** Documents that are parsed, whether they are entities or not. One that is included is parsed, and counts, at each such place. */
  documents: 200_000,
  /** What they stand for with their aliases expanded. */
  characters: 256 * 1024 * 1024,
  /** Files that are looked up, whether they exist or not. */
  files: 200_000,
  entities: 20_000,
  problems: 100,
  depth: 5,
  /** Files that took too long to parse; each costs the time limit of one step. */
  overruns: 20,
} as const;

/** A larger file is parsed in parts of whole documents, because the time limit applies to one part. */
const partBytes = 256 * 1024;
/** Parts sent to the render worker in one message: the message costs more time than parsing a small file. */
const jobLimits = { parts: 64, bytes: 512 * 1024 } as const;
/** Messages in progress at a time. */
const lanes = 2;
/** Default time limit of a step; only used in messages. */
const usualStepMs = 1_000;

export interface FileBytes {
  path: string;
  bytes: Buffer;
}

/** A document, and what is needed to find places in it. */
export interface FoundDocument {
  value: YamlValue;
  part: FilePart;
  /** Index among the valid documents of the part. */
  index: number;
}

interface FilePart extends FileBytes {
  linesBefore: number;
  parameters?: FileBytes;
}

export interface ParsedFile {
  documents: FoundDocument[];
  problems: Problem[];
}

export interface FileReader {
  shownAs: (path: string) => string;
  read: IncludeReader["read"];
  /** Counts the bytes of a file that is used once more. */
  countBytes: (count: number) => void;
  /** One result for each file. */
  parse: (files: readonly FileBytes[]) => Promise<ParsedFile[]>;
  /** `file:line:column` of places in a document. */
  locate: (document: FoundDocument, pointers: readonly string[]) => Promise<string[]>;
}

export interface FileReaderOptions {
  renderer: Pick<Renderer, "run">;
  /** Environment that templates among the files are rendered for. */
  environment: string;
  /** Shared by all files of the location. */
  budget: { files: number; bytes: number; documents: number; characters: number; overruns: number };
  /** Called whenever something has been read or parsed. */
  onProgress: () => void;
  signal: AbortSignal;
  shownAs: (path: string) => string;
}

export function createFileReader(source: LocationSource, options: FileReaderOptions): FileReader {
  const { budget, shownAs, onProgress } = options;
  const countBytes = (count: number): void => {
    budget.bytes += count;
    if (budget.bytes > loadLimits.bytes) {
      throw unreadable("/target", `The files of the location have more than ${loadLimits.bytes} bytes.`);
    }
  };
  const read: IncludeReader["read"] = async (path) => {
    budget.files += 1;
    if (budget.files > loadLimits.files) {
      throw unreadable("/target", `The location leads to more than ${loadLimits.files} files.`);
    }
    const bytes = await source.read(path, loadLimits.fileBytes);
    onProgress();
    countBytes(bytes?.length ?? 0);
    return bytes;
  };
  const partsOf = async (file: FileBytes): Promise<FilePart[]> => {
    if (!file.bytes.subarray(0, 64).includes("%SKELETON")) return splitFile(file);
    const path = parametersPath(file.path);
    const bytes = await read(path);
    return [{ ...file, linesBefore: 0, ...(bytes === null ? {} : { parameters: { path, bytes } }) }];
  };
  return {
    shownAs,
    read,
    countBytes,
    async parse(files) {
      const parsed = files.map((): ParsedFile => ({ documents: [], problems: [] }));
      const parts: { part: FilePart; of: ParsedFile }[] = [];
      for (const [index, of] of parsed.entries()) {
        options.signal.throwIfAborted();
        try {
          for (const part of await partsOf(files[index]!)) parts.push({ part, of });
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          of.problems.push(...error.problems);
        }
      }
      const results = await readParts(
        parts.map(({ part }) => part),
        options,
      );
      for (const [index, { part, of }] of parts.entries()) {
        const { documents, problems } = results[index]!;
        // One by one: a call takes about a hundred thousand arguments at most, and a part may hold more documents.
        for (const problem of problems) of.problems.push(problem);
        for (const [at, value] of documents.entries()) of.documents.push({ value, part, index: at });
      }
      return parsed;
    },
    async locate({ part, index }, pointers) {
      const places = pointers.map((pointer) => ({ document: index, pointer }));
      const [result] = await readParts([part], options, places);
      return result?.places ?? [];
    },
  };
}

/** Text that is not UTF-8 is not split, so that the worker reports it. */
async function splitFile({ path, bytes }: FileBytes): Promise<FilePart[]> {
  const whole = [{ path, bytes, linesBefore: 0 }];
  if (bytes.length <= partBytes) return whole;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return whole;
  }
  const parts: FilePart[] = [];
  for (const part of splitText(text, partBytes)) {
    parts.push({ path, bytes: Buffer.from(part.text), linesBefore: part.line });
    await yieldToEventLoop();
  }
  return parts;
}

async function readParts(
  parts: readonly FilePart[],
  options: FileReaderOptions,
  places: FileToRead["places"] = [],
): Promise<ReadDocuments[]> {
  const results: ReadDocuments[] = [];
  const jobs = jobsOf(parts);
  const runLane = async (): Promise<void> => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
      await runJob(job, { parts, options, places, results });
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, jobs.length) }, runLane));
  return results;
}

interface Job {
  parts: readonly FilePart[];
  options: FileReaderOptions;
  places: NonNullable<FileToRead["places"]>;
  results: ReadDocuments[];
}

/** A part that exceeds its time limit is reported, and the job is repeated without it. */
async function runJob(indexes: readonly number[], { parts, options, places, results }: Job): Promise<void> {
  const { renderer, environment, shownAs, signal, onProgress, budget } = options;
  let left = indexes;
  while (left.length > 0) {
    signal.throwIfAborted();
    const inputs = left.map((index): FileToRead => {
      const { path, bytes, linesBefore, parameters } = parts[index]!;
      const beside = parameters && { file: shownAs(parameters.path), bytes: parameters.bytes };
      return {
        file: shownAs(path),
        bytes,
        linesBefore,
        environment,
        places,
        ...(beside && { parameters: beside }),
      };
    });
    const answer = await renderer.run("documents", inputs);
    if (!("overrun" in answer)) {
      onProgress();
      // Documents in which places are looked for were counted when they were parsed first.
      if (places.length === 0) countDocuments(answer, budget);
      for (const [at, index] of left.entries()) results[index] = answer[at]!;
      return;
    }
    budget.overruns += 1;
    if (budget.overruns > loadLimits.overruns) {
      throw unreadable("/target", `More than ${loadLimits.overruns} of its files take too long to parse.`);
    }
    const slow = left[answer.step] ?? left[0]!;
    const message = `The file was given up: ${overrunReason(answer, usualStepMs)}.`;
    const problem = { where: shownAs(parts[slow]!.path), message };
    results[slow] = { documents: [], problems: [problem], places: [] };
    left = left.filter((index) => index !== slow);
  }
}

function countDocuments(read: readonly ReadDocuments[], budget: FileReaderOptions["budget"]): void {
  for (const { documents, problems } of read) {
    budget.documents += documents.length + problems.length;
    budget.characters += lengthOf(documents, loadLimits.characters - budget.characters);
  }
  if (budget.documents > loadLimits.documents) {
    throw unreadable(
      "/target",
      `The location has more than ${loadLimits.documents} documents, included ones at each place.`,
    );
  }
  if (budget.characters <= loadLimits.characters) return;
  const message = `The documents of the location stand for more than ${loadLimits.characters} characters.`;
  throw unreadable("/target", message);
}

function jobsOf(parts: readonly FilePart[]): number[][] {
  const jobs: number[][] = [];
  let bytes = 0;
  for (const [index, part] of parts.entries()) {
    const last = jobs.at(-1);
    if (last === undefined || last.length >= jobLimits.parts || bytes + part.bytes.length > jobLimits.bytes) {
      jobs.push([index]);
      bytes = part.bytes.length;
    } else {
      last.push(index);
      bytes += part.bytes.length;
    }
  }
  return jobs;
}

export const parametersPath = (file: string): string => beside(file, "parameters.yaml");

export const beside = (file: string, name: string): string =>
  folderOf(file) === "" ? name : `${folderOf(file)}/${name}`;
