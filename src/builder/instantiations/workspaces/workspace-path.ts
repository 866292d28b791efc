/**
 * The only way from a path in an input to a file. Paths of a template are confined to the workspace: a path
 * must not climb out of it, and no part of it may be a symbolic link, which could lead anywhere.
 */
import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../../platform/errors/error-code.ts";
import { builderFailure } from "../../errors.ts";

const maxPathLength = 1_024;
const maxDepth = 64;
/** The limit of common file systems. */
const maxNameBytes = 255;

/** The absolute path of a path in the workspace; the file need not exist. */
export function inWorkspace(workspace: string, path: string): string {
  const segments = segmentsOf(path);
  let current = workspace;
  for (const segment of segments) {
    current = join(current, segment);
    const stats = entryAt(current);
    if (stats === undefined) return join(workspace, ...segments);
    if (stats.isSymbolicLink()) throw refuse(path, "leads over a symbolic link");
  }
  return current;
}

/** The segments of a path; none for the folder itself. Rejects ambiguous and unsafe paths. */
export function segmentsOf(path: string): string[] {
  if (path.length > maxPathLength)
    throw refuse(path.slice(0, 100), `is longer than ${maxPathLength} characters`);
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(path)) throw refuse(path, "holds control characters");
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) throw refuse(path, "is absolute");
  if (path.includes("\\")) throw refuse(path, "holds a backslash");
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..")) throw refuse(path, "climbs out of its folder");
  if (segments.some((segment) => Buffer.byteLength(segment) > maxNameBytes))
    throw refuse(path, `has a name of more than ${maxNameBytes} bytes`);
  if (segments.length > maxDepth) throw refuse(path, `is deeper than ${maxDepth} folders`);
  return segments;
}

function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // A path below a file does not exist either.
    if (errorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

const refuse = (path: string, why: string) =>
  builderFailure("BUILDER_ACTION_INPUT", {
    message: `The path "${path}" ${why}; paths are relative and stay in the workspace.`,
  });
