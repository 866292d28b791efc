import type { Failure } from "../../../platform/errors/failure.ts";
import { builderFailure } from "../../errors.ts";

/** An open location: the files that can be read from it. */
export interface LocationSource {
  /** Changes whenever its files may have changed; null when that cannot be known without reading them. */
  version: string | null;
  /** Path of the target; empty for the root of a directory. */
  entry: string;
  /** Throws a Failure when nothing exists there. */
  isDirectory: () => Promise<boolean>;
  /**
   * A file by its path in the location; null when there is none. Throws a Failure for a file that may not be
   * read.
   */
  read: (path: string, maxBytes: number) => Promise<Buffer | null>;
  /** Paths of all files at and below the target, sorted. Throws a Failure when there are too many. */
  list: () => Promise<string[]>;
  /** The `type:target` by which one of its files can be opened on its own. */
  refOf: (path: string) => string;
  close: () => Promise<void>;
}

/** Maximum number of files of one location that are listed. */
export const maxListedFiles = 20_000;

/** The failure for a location, or a file in it, that cannot be read. */
export const unreadable = (where: string, message: string, solution?: string): Failure =>
  builderFailure("BUILDER_INVALID_LOCATION", {
    message,
    problems: [solution === undefined ? { where, message } : { where, message, solution }],
  });

export const tooLong = (where: string, maxBytes: number): Failure =>
  unreadable(where, `The file is larger than ${maxBytes} bytes.`);
