import { expect, test } from "vitest";
import { advanceSettled, nothingSettled, type AuditWriters, type Settled } from "./settled.ts";

const through = (...looks: AuditWriters[]): Settled => looks.reduce(advanceSettled, nothingSettled);

test.each<[string, AuditWriters[], Settled]>([
  ["nobody writes", [{ top: 7, writers: [] }], { upTo: 7, pending: null }],
  ["somebody writes", [{ top: 7, writers: ["3/1"] }], { upTo: 0, pending: { top: 7, writers: ["3/1"] } }],
  [
    "one of two still writes",
    [
      { top: 7, writers: ["3/1", "4/1"] },
      { top: 9, writers: ["4/1", "5/1"] },
    ],
    { upTo: 0, pending: { top: 7, writers: ["4/1"] } },
  ],
  [
    "all of them have gone, and others came",
    [
      { top: 7, writers: ["3/1", "4/1"] },
      { top: 9, writers: ["3/2", "5/1"] },
    ],
    { upTo: 7, pending: { top: 9, writers: ["3/2", "5/1"] } },
  ],
  [
    "all have gone",
    [
      { top: 7, writers: ["3/1"] },
      { top: 9, writers: [] },
    ],
    { upTo: 9, pending: null },
  ],
  [
    "no row came since",
    [
      { top: 7, writers: ["3/1"] },
      { top: 7, writers: ["3/2"] },
    ],
    { upTo: 7, pending: null },
  ],
])("%s", (_case, looks, settled) => expect(through(...looks)).toEqual(settled));
