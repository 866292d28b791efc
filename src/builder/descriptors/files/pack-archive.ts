import { createGzip } from "node:zlib";
import { pack } from "tar-stream";

/**
 * Packs texts or bytes by path into a .tar.gz as the build operation expects it. The same input gives the
 * same bytes, so that results can be compared.
 */
export const packArchive = async (files: Readonly<Record<string, string | Uint8Array>>): Promise<Buffer> => {
  const tar = pack();
  for (const [name, content] of Object.entries(files)) {
    tar.entry({ name, mtime: new Date(0) }, typeof content === "string" ? content : Buffer.from(content));
  }
  tar.finalize();
  const chunks: Buffer[] = [];
  const zipped: AsyncIterable<Buffer> = tar.pipe(createGzip());
  for await (const chunk of zipped) chunks.push(chunk);
  return Buffer.concat(chunks);
};
