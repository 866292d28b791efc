import { randomBytes } from "node:crypto";
import { PassThrough, Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { pack, type Header } from "tar-stream";
import { describe, expect, it } from "vitest";
import { Failure } from "../../platform/errors/failure.ts";
import { defaultArchiveLimits, type ArchiveLimits } from "./archive-limits.ts";
import { packArchive } from "../../platform/archive/write-archive.ts";
import { unpackArchive } from "./unpack.ts";

type Entry = Partial<Header> & { name: string; content?: string | Buffer };

/** A tar made by hand, with entries that no honest tool writes. */
const tarOf = async (entries: Entry[]): Promise<Buffer> => {
  const tar = pack();
  for (const { content = "", ...header } of entries) tar.entry(header, content);
  tar.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of tar) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const archiveOf = async (entries: Entry[]): Promise<Buffer> => gzipSync(await tarOf(entries));

const unpack = (bytes: Buffer | Readable, limits: Partial<ArchiveLimits> = {}) =>
  unpackArchive(bytes instanceof Readable ? bytes : Readable.from([bytes]), {
    limits: { ...defaultArchiveLimits, ...limits },
    environments: new Set(["development"]),
  });

const info = { name: "orders/catalog-info.yaml", content: "kind: System\n" };

describe("unpackArchive", () => {
  it("keeps the entity files and nothing else", async () => {
    const archive = await archiveOf([
      { name: "./", type: "directory" },
      { name: "./README.md", content: "top-level file" },
      { name: "./.git/config", content: "dot directory" },
      { name: "./orders/", type: "directory" },
      { name: "./orders/catalog-info.yaml", content: "kind: System\n" },
      { name: "./orders/parameters.yaml", content: "values: {}\n" },
      { name: "./orders/environments/development/configurations.yaml", content: "a: 1\n" },
      { name: "./orders/environments/production/configurations.yaml", content: "a: 2\n" },
      { name: "./orders/src/catalog-info.yaml", content: "deeper" },
      { name: "./items/notes.txt", content: "x" },
      { name: "./empty/", type: "directory" },
    ]);
    const { directories, problems, stopped } = await unpack(archive);
    expect({ problems, stopped }).toEqual({ problems: [], stopped: false });
    expect(directories.map((found) => found.directory)).toEqual(["empty", "items", "orders"]);
    const orders = directories[2]!;
    expect(Buffer.from(orders.catalogInfo ?? []).toString()).toBe("kind: System\n");
    expect(Buffer.from(orders.parameters ?? []).toString()).toBe("values: {}\n");
    expect([...orders.configurations].map(([name, bytes]) => [name, Buffer.from(bytes).toString()])).toEqual([
      ["development", "a: 1\n"],
    ]);
    expect(directories[1]!.catalogInfo).toBeUndefined();
  });

  it("reads what packArchive packs, also in pieces of one byte", async () => {
    const archive = await packArchive({
      "orders/catalog-info.yaml": "kind: System\n",
      "orders/été.txt": "x",
    });
    const bytes = Readable.from([...archive].map((byte) => Buffer.from([byte])));
    const { directories, problems } = await unpack(bytes);
    expect(problems).toEqual([]);
    expect(Buffer.from(directories[0]!.catalogInfo ?? []).toString()).toBe("kind: System\n");
  });

  it("reads the global header that git archive writes", async () => {
    const tar = await tarOf([
      {
        ...info,
        name: "pax_global_header",
        content: "52 comment=0123456789012345678901234567890123456789\n",
      },
      info,
    ]);
    tar[156] = "g".charCodeAt(0);
    fixChecksum(tar, 0);
    expect(await unpack(gzipSync(tar))).toMatchObject({
      problems: [],
      directories: [{ directory: "orders" }],
    });
  });

  const noise = randomBytes(2 * 1_048_576).toString("latin1");
  it.each<[string, Entry[]]>([
    ["large", [{ name: ".git/objects/pack/a.pack", content: noise }]],
    ["of the same name apart from case", [{ name: ".git/refs/A" }, { name: ".git/refs/a" }]],
    ["large, at the top", [{ name: "film.mp4", content: noise }]],
    ["twice, at the top", [{ name: "README.md" }, { name: "readme.md" }]],
  ])("what is ignored may be %s", async (_what, entries) => {
    const { problems, directories } = await unpack(gzipSync(await tarOf([...entries, info])));
    expect(problems).toEqual([]);
    expect(directories.map(({ directory }) => directory)).toEqual(["orders"]);
  });

  it.each<[string, Entry[], string, RegExp]>([
    ["an absolute path", [{ name: "/etc/passwd", content: "x" }], "/etc/passwd", /absolute/],
    ["a climb", [{ name: "orders/../../x", content: "x" }], "orders/../../x", /`\.\.`/],
    [
      "a symbolic link",
      [{ name: "orders/x", type: "symlink", linkname: "/etc/passwd" }],
      "orders/x",
      /symlink/,
    ],
    ["a hard link", [{ name: "orders/x", type: "link", linkname: "orders/y" }], "orders/x", /link/],
    [
      "a link in an ignored directory",
      [{ name: ".git/x", type: "symlink", linkname: "y" }],
      ".git/x",
      /symlink/,
    ],
    ["a character device", [{ name: "orders/x", type: "character-device" }], "orders/x", /character-device/],
    ["a block device", [{ name: "orders/x", type: "block-device" }], "orders/x", /block-device/],
    ["a pipe", [{ name: "orders/x", type: "fifo" }], "orders/x", /fifo/],
    ["an odd file type", [{ name: "orders/x", type: "contiguous-file" }], "orders/x", /contiguous-file/],
    ["a file twice", [info], info.name, /twice/],
    [
      "a file in capitals",
      [{ ...info, name: "orders/CATALOG-INFO.yaml" }],
      "orders/CATALOG-INFO.yaml",
      /case/,
    ],
    ["a directory in capitals", [{ ...info, name: "ORDERS/x" }], "ORDERS/x", /case/],
    ["another form of a name", [{ name: "a/\u00e9" }, { name: "a/e\u0301" }], "a/e\u0301", /Unicode/],
    ["a name behind a pax header", [{ name: "orders/y", pax: { path: "../../x" } }], "../../x", /`\.\.`/],
    [
      "a NUL behind a pax header",
      [{ name: "orders/y", pax: { path: "orders/a\u0000b" } }],
      "orders/a\uFFFDb",
      /control/,
    ],
    [
      "a very long name",
      [{ name: `orders/${"x".repeat(600)}` }],
      `orders/${"x".repeat(193)}…`,
      /longer than 512/,
    ],
    ["a deep name", [{ name: "a/".repeat(40) + "x" }], "a/".repeat(40) + "x", /deeper than 32/],
    [
      "a sparse file",
      [{ name: "orders/x", pax: { "GNU.sparse.realsize": "1000000000" } }],
      "orders/x",
      /Sparse/,
    ],
    [
      "a large file",
      [{ name: "orders/x", content: randomBytes(1024 * 1024 + 1) }],
      "orders/x",
      /larger than 1048576/,
    ],
  ])("reports %s and reads on", async (...[, entries, where, message]) => {
    const { problems, stopped, directories } = await unpack(
      await archiveOf([info, ...entries, { name: "zz/catalog-info.yaml", content: "z" }]),
    );
    expect(stopped).toBe(false);
    expect(problems.map((problem) => problem.where)).toEqual([where]);
    expect(problems[0]?.message).toMatch(message);
    expect(directories.at(-1)?.directory).toBe("zz");
  });

  it("collects the problems of many entries", async () => {
    const archive = await archiveOf([
      { name: "/a" },
      { name: "../b" },
      { name: "o/c", type: "symlink", linkname: "x" },
    ]);
    expect((await unpack(archive)).problems.map((problem) => problem.where)).toEqual(["/a", "../b", "o/c"]);
  });

  const broken: [string, () => Promise<Buffer> | Buffer, RegExp, Partial<ArchiveLimits>?][] = [
    ["no content", () => Buffer.alloc(0), /no content/],
    ["a zip", () => Buffer.from("PK\u0003\u0004 something"), /not gzip/],
    ["a plain tar", () => tarOf([info]), /not gzip/],
    ["one byte of gzip", () => Buffer.from([0x1f]), /cut off/],
    ["a cut gzip", async () => (await archiveOf([info])).subarray(0, -12), /cut off/],
    ["a damaged gzip", async () => damaged(await archiveOf([info])), /not valid gzip/],
    ["gzip of a text", () => gzipSync("x".repeat(2048)), /not a valid tar/],
    ["a cut tar", async () => gzipSync((await tarOf([info])).subarray(0, 520)), /cut off/],
    ["an empty archive", () => archiveOf([]), /empty/],
    ["gzip of nothing", () => gzipSync(""), /empty/],
    [
      "garbage behind the gzip",
      async () => Buffer.concat([await archiveOf([info]), Buffer.from("garbage")]),
      /after its end|not valid gzip/,
    ],
    [
      "zeros and garbage behind the gzip",
      async () => Buffer.concat([await archiveOf([info]), Buffer.from("\0\0garbage")]),
      /after its end/,
    ],
    [
      "a text behind the tar",
      async () => gzipSync(Buffer.concat([await tarOf([info]), Buffer.alloc(512, "x")])),
      /not a valid tar/,
    ],
    [
      "a header without a checksum",
      async () => gzipSync(withByte(await tarOf([info]), 150, 0x39)),
      /not a valid tar/,
    ],
    [
      "too many entries",
      () => archiveOf([info, { name: "a/x" }, { name: "b/x" }]),
      /more than 2 entries/,
      { maxEntries: 2 },
    ],
    [
      "too many bytes",
      () => archiveOf([info, { name: "a/x", content: randomBytes(10_000) }]),
      /more than 5000 bytes/,
      { maxUnpackedBytes: 5_000 },
    ],
    [
      "too many bytes of entity files",
      () => archiveOf([{ ...info, content: "x".repeat(600) }]),
      /entity files have more than 500/,
      { maxStoredBytes: 500 },
    ],
    ["a bomb", () => archiveOf(bombEntries()), /more than 100 times its size/],
  ];

  it.each(broken)("stops at %s", async (...[, make, message, limits]) => {
    const source = Readable.from(chunksOf(await make()));
    const { problems, stopped } = await unpack(source, limits);
    expect(problems.map((problem) => problem.where)).toEqual(["/archive"]);
    expect(problems[0]?.message).toMatch(message);
    expect(stopped).toBe(!/empty/.test(String(message)));
  });

  it("says both what it met before it stopped and why it stopped", async () => {
    const archive = (
      await archiveOf([{ name: "/a" }, { name: "o/x", content: randomBytes(2_000) }])
    ).subarray(0, -1_000);
    expect((await unpack(archive)).problems.map((problem) => problem.where)).toEqual(["/a", "/archive"]);
  });

  it("fails with 413 as soon as the upload is over its size, without reading the rest", async () => {
    let sent = 0;
    const endless = Readable.from(
      (function* () {
        for (;;) {
          sent += 1_000;
          yield sent === 1_000
            ? Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]), randomBytes(990)])
            : randomBytes(1_000);
        }
      })(),
    );
    const failure = await unpack(endless, { maxUploadBytes: 5_000 }).catch((error: unknown) => error);
    // Random bytes may end as broken gzip first; either way the source is not read on.
    if (failure instanceof Failure)
      expect(failure).toMatchObject({ kind: "limit", code: "BUILDER_ARCHIVE_TOO_LARGE" });
    else expect(failure).toMatchObject({ stopped: true });
    expect(sent).toBeLessThan(100_000);
    expect(endless.destroyed).toBe(true);
  });

  it("counts the upload, not what it unpacks to", async () => {
    const archive = await archiveOf([{ name: "o/x", content: randomBytes(50_000) }]);
    await expect(unpack(Readable.from(chunksOf(archive)), { maxUploadBytes: 40_000 })).rejects.toMatchObject({
      kind: "limit",
      code: "BUILDER_ARCHIVE_TOO_LARGE",
    });
    expect(await unpack(archive, { maxUploadBytes: archive.length })).toMatchObject({ problems: [] });
  });

  it("holds a bomb of gigabytes for a moment only", async () => {
    const source = new PassThrough();
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
    const before = process.memoryUsage().rss;
    source.end(bomb);
    const { problems } = await unpack(source);
    expect(problems.at(-1)?.message).toMatch(/more than 100 times/);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  });

  it("ends with the signal", async () => {
    const controller = new AbortController();
    const source = new PassThrough();
    source.write(Buffer.from([0x1f, 0x8b]));
    const done = unpackArchive(source, {
      limits: defaultArchiveLimits,
      environments: new Set(),
      signal: controller.signal,
    });
    controller.abort();
    await expect(done).rejects.toMatchObject({ name: "AbortError" });
  });

  it("reports an upload that breaks off", async () => {
    const source = new PassThrough();
    source.write(Buffer.from([0x1f, 0x8b]));
    setImmediate(() => source.destroy());
    expect((await unpack(source)).problems[0]?.message).toMatch(/ended before the archive was complete/);
  });
});

const bombEntries = (): Entry[] =>
  Array.from({ length: 10 }, (_, index) => ({ name: `o/x${index}`, content: Buffer.alloc(1024 * 1024) }));

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
}

const withByte = (bytes: Buffer, at: number, byte: number): Buffer => {
  bytes[at] = byte;
  return bytes;
};

/** Turns bits in the middle of the compressed data. */
const damaged = (bytes: Buffer): Buffer => withByte(bytes, bytes.length - 8, bytes[bytes.length - 8]! ^ 0xff);

const fixChecksum = (tar: Buffer, at: number): void => {
  tar.fill(" ", at + 148, at + 156);
  const sum = tar.subarray(at, at + 512).reduce((total, byte) => total + byte, 0);
  tar.write(`${sum.toString(8).padStart(6, "0")}\u0000 `, at + 148, "latin1");
};
