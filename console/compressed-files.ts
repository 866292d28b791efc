import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const compressible = /\.(?:js|css|svg|json)$/;
const smallestBytes = 1024;

/** Writes `.br` and `.gz` beside each asset, so that the server compresses nothing while it answers. */
export const compressedFiles = (): Plugin => ({
  name: "compressed-files",
  apply: "build",
  async writeBundle({ dir = "dist" }) {
    const files = await readdir(dir, { recursive: true });
    await Promise.all(
      files.filter((file) => compressible.test(file)).map((file) => compress(join(dir, file))),
    );
  },
});

const compress = async (file: string): Promise<void> => {
  const bytes = await readFile(file);
  if (bytes.length < smallestBytes) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [small, smaller] = await Promise.all([
    promisify(gzip)(bytes, { level: 9 }),
    promisify(brotliCompress)(bytes, { params }),
  ]);
  await Promise.all([writeFile(`${file}.gz`, small), writeFile(`${file}.br`, smaller)]);
};
