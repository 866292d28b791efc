/** One location, opened: the files that can be read from it, and nothing beside them. */
export interface LocationSource {
  /** Changes whenever its files may have changed; null where that cannot be told without reading them. */
  version: string | null;
  /** Path of what the target names; empty for the root of a directory. */
  entry: string;
  /** Throws a Failure when there is nothing. */
  isDirectory: () => Promise<boolean>;
  /** A file by its path in the location; null when there is none. Throws a Failure for one that may not be read. */
  read: (path: string, maxBytes: number) => Promise<Buffer | null>;
  /** Paths of all files at and below the target, sorted. Throws a Failure when there are too many. */
  list: () => Promise<string[]>;
  /** `type:target` under which a file of it can be opened on its own. */
  refOf: (path: string) => string;
  close: () => Promise<void>;
}

/** Files of one location that are listed. */
export const maxListedFiles = 20_000;
