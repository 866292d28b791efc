import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { errorCode } from "../../errors/error-code.ts";
import { emptyMap, mergeLayers, type Located, type LocatedMap, type Place } from "./located.ts";
import { readLimits, type Reading } from "./reading.ts";
import { substitute } from "./substitute.ts";
import { parseYaml } from "./yaml.ts";

/** Reads the files in order and merges them; a file that cannot be read or understood is left out. */
export function readLayers(files: readonly string[], reading: Reading): LocatedMap {
  let merged: LocatedMap = emptyMap({ file: files[0] ?? "configuration", line: 1, column: 1 });
  for (const file of files) {
    const path = resolve(reading.cwd, file);
    const layer = readDocument(path, { reading, trail: [], from: startOf(path, reading) });
    if (layer?.kind === "map") merged = mergeLayers(merged, layer);
    else if (layer) {
      reading.problems.add(layer.place, [], { message: "must be a map of settings" });
    }
  }
  return merged;
}

interface DocumentContext {
  reading: Reading;
  /** The files that include this one, outermost first. */
  trail: readonly string[];
  /** Where to report that the file cannot be read. */
  from: Place;
}

function readDocument(path: string, context: DocumentContext): Located | undefined {
  const { reading, trail, from } = context;
  const refuse = (message: string): undefined => {
    reading.problems.add(from, [], { message });
  };
  const shown = showFile(path, reading);
  if (trail.includes(path)) return refuse(`includes itself through ${shown}`);
  if (trail.length > readLimits.includeDepth) return refuse("nests $include too deeply");
  if (++reading.filesRead > readLimits.files)
    return refuse(`is spread over more than ${readLimits.files} files`);
  const read = readTextFile(path, readLimits.fileBytes);
  if ("problem" in read) return refuse(`file ${shown} ${read.problem}`);
  return parseYaml(read.text, {
    reading,
    file: shown,
    folder: dirname(path),
    include: (target, place) => include(target, place, { ...context, trail: [...trail, path] }),
  });
}

function include(target: string, place: Place, context: DocumentContext): Located | undefined {
  const { reading } = context;
  const { text, problems } = substitute(target, reading.env);
  for (const message of problems) reading.problems.add(place, ["$include"], { message });
  if (problems.length > 0) return undefined;
  const path = resolve(dirname(context.trail.at(-1)!), text);
  return readDocument(path, { ...context, from: place });
}

const showFile = (path: string, reading: Reading): string => {
  const below = relative(reading.cwd, path);
  return below === "" || below.startsWith("..") ? path : below;
};

const startOf = (path: string, reading: Reading): Place => ({
  file: showFile(path, reading),
  line: 1,
  column: 1,
});

/** Reads a small text file; its error messages do not contain the system's own message. */
export function readTextFile(path: string, maxBytes: number): { text: string } | { problem: string } {
  let handle: number;
  try {
    handle = openSync(path, "r");
  } catch (error) {
    const missing = errorCode(error) === "ENOENT";
    return { problem: missing ? "does not exist" : "cannot be opened" };
  }
  try {
    if (!fstatSync(handle).isFile()) return { problem: "is not a file" };
    const buffer = Buffer.alloc(maxBytes + 1);
    let length = 0;
    let count: number;
    do {
      count = readSync(handle, buffer, length, buffer.length - length, null);
      length += count;
    } while (count > 0 && length < buffer.length);
    if (length > maxBytes) return { problem: `is larger than ${maxBytes} bytes` };
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(buffer.subarray(0, length)) };
  } catch (error) {
    return { problem: error instanceof TypeError ? "is not UTF-8 text" : "cannot be read" };
  } finally {
    closeSync(handle);
  }
}
