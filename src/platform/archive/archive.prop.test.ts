import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ArchiveFault, readArchive, type ReadLimits } from "./read-archive.ts";
import { packArchive, packEntries, type PackedEntry } from "./write-archive.ts";

const name = fc.stringMatching(/^[a-z]{1,8}(?:\/[a-zé ]{1,60}){0,4}$/);
const files = fc.uniqueArray(
  fc.record({ name, content: fc.uint8Array({ maxLength: 2_000 }), mode: fc.constantFrom(0o644, 0o755) }),
  { selector: (entry) => entry.name, maxLength: 12 },
);

/** All entries of an archive, in their order. */
async function entriesOf(
  source: Buffer | Readable,
  limits: Partial<ReadLimits> = {},
): Promise<PackedEntry[]> {
  const found: PackedEntry[] = [];
  await readArchive(
    source,
    (header) => (content) => {
      const { type, mode, linkname } = header;
      if (type === "symlink") found.push({ name: header.name, type, linkname: linkname ?? "" });
      else found.push({ name: header.name, mode: mode ?? 0, content: new Uint8Array(content) });
    },
    { limits },
  );
  return found;
}

function* piecesOf(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const reasonOf = async (reading: Promise<unknown>): Promise<unknown> => {
  const error: unknown = await reading.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof ArchiveFault ? error.reason : error;
};

describe("an archive", () => {
  it("is read as it was packed: at once or in parts, from a buffer or in pieces", async () => {
    await fc.assert(
      fc.asyncProperty(
        files,
        fc.boolean(),
        fc.integer({ min: 1, max: 700 }),
        async (entries, atOnce, size) => {
          const archive = await packEntries(entries, atOnce ? { contentBytes: 0, level: 1 } : {});
          expect(await entriesOf(archive)).toEqual(entries);
          expect(await entriesOf(Readable.from(piecesOf(archive, size)))).toEqual(entries);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("of files by path has no time in it, so that the same files have the same bytes", async () => {
    const texts = { "a.txt": "a", "b/c.txt": Buffer.from("c") };
    const archive = await packArchive(texts);
    const times: unknown[] = [];
    await readArchive(archive, ({ mtime }) => (times.push(mtime?.getTime()), null), { limits: {} });
    expect(times).toEqual([0, 0]);
    expect((await packArchive(texts)).equals(archive)).toBe(true);
  });

  it("with a link keeps its target", async () => {
    const link: PackedEntry = { name: "b", type: "symlink", linkname: "a" };
    expect(await entriesOf(await packEntries([link]))).toEqual([link]);
  });

  it("that is cut or changed anywhere is read or refused, and the reading ends", async () => {
    await fc.assert(
      fc.asyncProperty(
        files,
        fc.nat(),
        fc.option(fc.integer({ min: 1, max: 255 })),
        async (entries, at, bits) => {
          const archive = await packEntries(entries);
          const place = at % archive.length;
          const broken = bits === null ? archive.subarray(0, place) : Buffer.from(archive);
          if (bits !== null) broken[place] = broken[place]! ^ bits;
          const reason = await reasonOf(
            entriesOf(Readable.from(piecesOf(broken, 100)), { unpackedBytes: 100_000 }),
          );
          expect(reason === null || typeof reason === "string").toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  const two = [
    { name: "a", content: randomBytes(3_000) },
    { name: "b", content: randomBytes(3_000) },
  ];
  it.each<[string, () => Promise<Buffer>, Partial<ReadLimits>, string | null]>([
    ["no bytes", async () => Buffer.alloc(0), {}, "empty"],
    ["a text", async () => Buffer.from("text"), {}, "notGzip"],
    ["a cut gzip", async () => (await packEntries(two)).subarray(0, 1_000), {}, "cutGzip"],
    ["a cut tar", async () => gzipSync(Buffer.concat([randomBytes(10)])), {}, "cutTar"],
    ["no tar", async () => gzipSync(Buffer.alloc(1_024, "x")), {}, "brokenTar"],
    ["many packed bytes", () => packEntries(two), { packedBytes: 5_000 }, "packedBytes"],
    ["many unpacked bytes", () => packEntries(two), { unpackedBytes: 5_000 }, "unpackedBytes"],
    ["many entries", () => packEntries(two), { entries: 1 }, "entries"],
    ["as many as may be", () => packEntries(two), { entries: 2 }, null],
    ["a bomb", async () => gzipSync(Buffer.alloc(100_000)), { ratio: 100, ratioFreeBytes: 1_000 }, "ratio"],
    ["a small bomb", async () => gzipSync(Buffer.alloc(1_024)), { ratio: 10, ratioFreeBytes: 1_024 }, null],
  ])("with %s", async (...[, make, limits, reason]) => {
    const bytes = await make();
    expect(await reasonOf(entriesOf(bytes, limits))).toBe(reason);
    expect(await reasonOf(entriesOf(Readable.from(piecesOf(bytes, 512)), limits))).toBe(reason);
  });

  it("with data after its end is refused only on request", async () => {
    const bytes = Buffer.concat([await packEntries(two), Buffer.from("\0\0more")]);
    expect(await entriesOf(bytes)).toHaveLength(2);
    const reading = readArchive(bytes, () => null, { limits: {}, refusesTrailingData: true });
    expect(await reasonOf(reading)).toBe("trailingData");
  });
});

describe("a reading", () => {
  it.each([
    [
      "a header",
      () => {
        throw new Error("no more");
      },
    ],
    [
      "a content",
      () => () => {
        throw new Error("no more");
      },
    ],
    [
      "a content, later",
      () => async () => {
        await Promise.resolve();
        throw new Error("no more");
      },
    ],
  ])("ends with what was thrown at %s", async (_, visit) => {
    const source = Readable.from(piecesOf(await packArchive({ a: "1", b: "2" }), 100));
    await expect(readArchive(source, visit, { limits: {} })).rejects.toThrow("no more");
    expect(source.destroyed).toBe(true);
  });

  it("goes on only after a content was taken", async () => {
    const archive = await packArchive({ a: "1", b: "2" });
    const order: string[] = [];
    await readArchive(
      archive,
      ({ name: entry }) => {
        order.push(`header ${entry}`);
        return async () => {
          await new Promise((done) => setImmediate(done));
          order.push(`content ${entry}`);
        };
      },
      { limits: {} },
    );
    expect(order).toEqual(["header a", "content a", "header b", "content b"]);
  });

  it("ends when it is aborted", async () => {
    const stop = new AbortController();
    const reading = readArchive(new Readable({ read() {} }), () => null, { limits: {}, signal: stop.signal });
    stop.abort();
    await expect(reading).rejects.toMatchObject({ name: "AbortError" });
  });

  it("is not needed to end a packing whose source fails", async () => {
    const entries = (async function* () {
      yield { name: "a", content: Buffer.from("a") };
      throw new Error("gone");
    })();
    await expect(packEntries(entries)).rejects.toThrow("gone");
  });
});
