/** Reads and parses files of one source within what a whole location may take. */
import type { Problem } from "../../../platform/errors/failure.ts";
import type { YamlValue } from "../../descriptors/entities/yaml.ts";
import { overrunReason, type Renderer } from "../../templates/renderer.ts";
import type { WantedPlace } from "../entities/locate.ts";
import type { ReadDocuments } from "../entities/read-documents.ts";
import { unreadable } from "../sources/refusal.ts";
import type { LocationSource } from "../sources/source.ts";
import { folderOf } from "../sources/target.ts";
import type { IncludeReader } from "./includes.ts";

/** What one location may hold, with all that it leads to. */
export const loadLimits = {
  fileBytes: 1024 * 1024,
  bytes: 50 * 1024 * 1024,
  files: 5_000,
  entities: 5_000,
  problems: 100,
  depth: 5,
} as const;

export interface FileReader {
  shownAs: (path: string) => string;
  read: IncludeReader["read"];
  parse: (
    path: string,
    bytes: Buffer,
  ) => Promise<{ ok: boolean; documents: YamlValue[]; problems: Problem[]; value: YamlValue }>;
  /** `file:line:column` of places in a file. */
  locate: (path: string, bytes: Buffer, places: WantedPlace[]) => Promise<string[]>;
}

export interface FileReaderOptions {
  renderer: Pick<Renderer, "readDocuments">;
  /** Environment that templates among the files are rendered for. */
  environment: string;
  /** Shared by all files of the location. */
  budget: { files: number; bytes: number };
  shownAs: (path: string) => string;
}

export function createFileReader(source: LocationSource, options: FileReaderOptions): FileReader {
  const { renderer, environment, budget, shownAs } = options;
  const read: IncludeReader["read"] = async (path) => {
    budget.files += 1;
    if (budget.files > loadLimits.files) {
      throw unreadable("/target", `The location leads to more than ${loadLimits.files} files.`);
    }
    const bytes = await source.read(path, loadLimits.fileBytes);
    budget.bytes += bytes?.length ?? 0;
    if (budget.bytes > loadLimits.bytes) {
      throw unreadable("/target", `The files of the location have more than ${loadLimits.bytes} bytes.`);
    }
    return bytes;
  };
  const readDocuments = async (
    path: string,
    bytes: Buffer,
    places: WantedPlace[],
  ): Promise<ReadDocuments> => {
    const isTemplate = bytes.subarray(0, 64).includes("%SKELETON");
    const beside = parametersPath(path);
    const parameters = isTemplate ? await read(beside) : null;
    const result = await renderer.readDocuments({
      file: shownAs(path),
      bytes,
      environment,
      places,
      ...(parameters === null ? {} : { parameters: { file: shownAs(beside), bytes: parameters } }),
    });
    if (!("overrun" in result)) return result;
    const message = `The file was given up: ${overrunReason(result, 1_000)}.`;
    return { documents: [], problems: [{ where: shownAs(path), message }], places: [] };
  };
  return {
    shownAs,
    read,
    async parse(path, bytes) {
      const { documents, problems } = await readDocuments(path, bytes, []);
      return { ok: problems.length === 0, documents, problems, value: documents[0] ?? null };
    },
    locate: async (path, bytes, places) => (await readDocuments(path, bytes, places)).places,
  };
}

export const parametersPath = (file: string): string => beside(file, "parameters.yaml");

export const beside = (file: string, name: string): string =>
  folderOf(file) === "" ? name : `${folderOf(file)}/${name}`;
