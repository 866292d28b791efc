/** The image's archive, read as an engine reads it: every blob against its hash, the layers one above the other. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { sha256 } from "../../scripts/image/oci.ts";

interface Descriptor {
  digest: string;
  size: number;
}

export interface UnpackedImage {
  digest: string;
  /** What the engine starts. */
  config: { User: string; Env: string[]; Entrypoint: string[]; Cmd: string[]; WorkingDir: string };
  /** Bytes to download, and on the disk. */
  bytes: number;
  unpackedBytes: number;
}

export function unpackImage(
  archive: string,
  { blobs, root }: { blobs: string; root: string },
): UnpackedImage {
  for (const folder of [blobs, root]) mkdirSync(folder, { recursive: true });
  extract(archive, blobs);
  const json = (path: string): any => JSON.parse(readFileSync(join(blobs, path), "utf8"));
  const blob = ({ digest, size }: Descriptor): Buffer => {
    const bytes = readFileSync(join(blobs, "blobs", digest.replace(":", "/")));
    assert.deepEqual([`sha256:${sha256(bytes)}`, bytes.length], [digest, size]);
    return bytes;
  };
  assert.deepEqual(json("oci-layout"), { imageLayoutVersion: "1.0.0" });
  const [found] = json("index.json").manifests as Descriptor[];
  const manifest = JSON.parse(blob(found!).toString()) as { config: Descriptor; layers: Descriptor[] };
  const { config, rootfs } = JSON.parse(blob(manifest.config).toString());
  let unpackedBytes = 0;
  for (const [index, layer] of manifest.layers.entries()) {
    const tar = gunzipSync(blob(layer));
    assert.equal(`sha256:${sha256(tar)}`, rootfs.diff_ids[index]);
    unpackedBytes += tar.length;
    extract(join(blobs, "blobs", layer.digest.replace(":", "/")), root);
  }
  const older = json("manifest.json")[0];
  assert.deepEqual(
    [older.Config, ...older.Layers],
    [manifest.config, ...manifest.layers].map(({ digest }) => `blobs/${digest.replace(":", "/")}`),
  );
  const bytes = manifest.layers.reduce((sum, { size }) => sum + size, 0);
  return { digest: found!.digest, config, bytes, unpackedBytes };
}

function extract(archive: string, folder: string): void {
  const args = [
    "--extract",
    "--file",
    archive,
    "--directory",
    folder,
    "--numeric-owner",
    "--same-permissions",
  ];
  const { status, stderr } = spawnSync("tar", args, { encoding: "utf8" });
  assert.equal(status, 0, stderr);
}
