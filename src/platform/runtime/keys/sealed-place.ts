/** Columns with sealed values. Each area lists its own; a test finds those that it has forgotten. */
import type { Db } from "../../db/database.ts";

export interface SealedColumn {
  /** `table.column`, as it is shown. */
  name: string;
  /** Values that are read at once: as many as memory takes. */
  atOnce: number;
  /** Values that do not begin with `head`, in the order of the ids of their rows, after one of them. */
  read(db: Db, wanted: WantedValues): Promise<SealedValue[]>;
  /** How many there are. */
  count(db: Db, head: Buffer): Promise<number>;
  /** Stores another form of a value. False when the value was changed or has gone meanwhile. */
  replace(db: Db, replacement: Replacement): Promise<boolean>;
}

export interface SealedPlace extends SealedColumn {
  /** What the value of a row is sealed for. */
  aboutOf(id: string): string;
}

export interface SealedValue {
  /** Of the row. */
  id: string;
  sealed: Buffer;
}

export interface WantedValues {
  head: Buffer;
  after: string | null;
  limit: number;
}

export interface Replacement {
  id: string;
  /** The beginning of the value, which no other one has. */
  before: Buffer;
  sealed: Buffer;
}

/** Something that has one signature, by a key that is derived from one of the installation. */
export interface SignedPlace {
  name: string;
  /** Which of the keys it is signed with, the present one first; -1 for none of them, null where nothing is signed. */
  signedWith(): Promise<number | null>;
  /** Signs it with the present key where it is signed with another one. */
  signAgain(): Promise<boolean>;
}
