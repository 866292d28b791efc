import fc from "fast-check";
import { expect, it } from "vitest";
import { advanceWatermark, initialWatermark, preparedWriter, type Watermark } from "./watermark.ts";

/**
 * Transactions that lock the table, draw ids and end, in any interleaving, with a reader that looks in between: it reads the
 * highest visible id first and the locks later. A savepoint that is rolled back gives the lock back.
 */
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom(
      "lock",
      "draw",
      "draw",
      "rollback",
      "prepare",
      "commit",
      "abort",
      "top",
      "locks",
      "locks",
    ),
    pick: fc.nat(),
  }),
  { maxLength: 150, size: "max" },
);

interface Writer {
  name: string;
  isLocking: boolean;
  drawn: number[];
}

it("never passes an id that can still appear, and reaches all of them in the end", () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      let nextName = 1;
      let nextId = 1;
      const open: Writer[] = [];
      const visible = new Set<number>();
      let watermark: Watermark = initialWatermark;
      let top: number | null = null;
      const readTop = (): void => void (top = Math.max(0, ...visible));
      const readLocks = (): void => {
        if (top === null) readTop();
        const writers = open.filter(({ isLocking }) => isLocking).map(({ name }) => name);
        watermark = advanceWatermark(watermark, { top: top!, writers });
        top = null;
        for (const { drawn } of open)
          for (const id of drawn)
            expect(id, "an id of an open transaction").toBeGreaterThan(watermark.settled);
      };
      const end = (writer: Writer, commits: boolean): void => {
        open.splice(open.indexOf(writer), 1);
        if (!commits) return;
        for (const id of writer.drawn) {
          expect(id, "an id that appears behind the reader").toBeGreaterThan(watermark.settled);
          visible.add(id);
        }
      };
      const change = (writer: Writer, kind: string): void => {
        if (kind === "draw" && writer.name !== preparedWriter) {
          writer.isLocking = true;
          writer.drawn.push(nextId++);
        } else if (kind === "rollback" && writer.name !== preparedWriter) {
          writer.drawn = [];
          writer.isLocking = false;
        } else if (kind === "prepare") writer.name = preparedWriter;
        else if (kind === "commit" || kind === "abort") end(writer, kind === "commit");
      };
      for (const { kind, pick } of sequence) {
        const writer = open[pick % Math.max(1, open.length)];
        if (kind === "lock") open.push({ name: `${nextName++}`, isLocking: true, drawn: [] });
        else if (kind === "top") readTop();
        else if (kind === "locks") readLocks();
        else if (writer !== undefined) change(writer, kind);
      }
      while (open[0] !== undefined) end(open[0], true);
      readLocks();
      readLocks();
      expect(watermark.settled).toBe(Math.max(0, ...visible));
    }),
    { numRuns: 2_000 },
  );
});
