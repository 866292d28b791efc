import fc from "fast-check";
import { expect, it } from "vitest";
import { advanceWatermark, initialWatermark, type Watermark } from "./watermark.ts";

/** Transactions that take a number, draw ids and end, in any interleaving, with a reader that looks in between. */
const steps = fc.array(
  fc.record({ kind: fc.constantFrom("begin", "draw", "commit", "abort", "look", "look"), pick: fc.nat() }),
  { maxLength: 120 },
);

interface Writer {
  number: bigint;
  drawn: number[];
}

it("never passes an id that can still appear, and reaches all of them in the end", () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      let nextNumber = 3n;
      let nextId = 1;
      const open: Writer[] = [];
      const visible = new Set<number>();
      let watermark: Watermark = initialWatermark;
      const look = (): void => {
        const numbers = open.map(({ number }) => number);
        const xmin = numbers.reduce((least, each) => (each < least ? each : least), nextNumber);
        watermark = advanceWatermark(watermark, { xmin, xmax: nextNumber, top: Math.max(0, ...visible) });
        for (const { drawn } of open)
          for (const id of drawn)
            expect(id, "an id of an open transaction").toBeGreaterThan(watermark.settled);
      };
      const end = (writer: Writer | undefined, commits: boolean): void => {
        if (writer === undefined) return;
        open.splice(open.indexOf(writer), 1);
        if (!commits) return;
        for (const id of writer.drawn) {
          expect(id, "an id that appears behind the reader").toBeGreaterThan(watermark.settled);
          visible.add(id);
        }
      };
      for (const { kind, pick } of sequence) {
        const writer = open[pick % Math.max(1, open.length)];
        if (kind === "begin") open.push({ number: nextNumber++, drawn: [] });
        else if (kind === "draw") writer?.drawn.push(nextId++);
        else if (kind === "look") look();
        else end(writer, kind === "commit");
      }
      while (open.length > 0) end(open[0], true);
      look();
      look();
      expect(watermark.settled).toBe(Math.max(0, ...visible));
    }),
    { numRuns: 2_000 },
  );
});
