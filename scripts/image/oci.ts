/**
 * An image as one archive, by the OCI image layout; `docker load`, `podman load` and `skopeo copy oci-archive:…` read it. The same inputs
 * give the same bytes.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

export interface Layer {
  folder: string;
  /** How it was made, for the image's history. */
  comment: string;
  /** A folder in it that belongs to the image's user. */
  owned?: { path: string; user: number };
}

export interface ImageOptions {
  layers: readonly Layer[];
  config: object;
  /** `plinth:0.1.0`. */
  tag: string;
  /** Seconds since the epoch: the time of every file and of the image. */
  createdAt: number;
  target: string;
}

export interface ImageSummary {
  digest: string;
  /** Of the compressed layers, and of their contents. */
  bytes: number;
  unpackedBytes: number;
}

interface Descriptor {
  mediaType: string;
  digest: string;
  size: number;
  annotations?: Record<string, string>;
}

const type = (name: string): string => `application/vnd.oci.image.${name}`;

export function writeImage({ layers, config, tag, createdAt, target }: ImageOptions): ImageSummary {
  const folder = mkdtempSync(join(tmpdir(), "plinth-image-"));
  const blobs = join(folder, "blobs/sha256");
  mkdirSync(blobs, { recursive: true });
  const add = (bytes: Buffer, mediaType: string): Descriptor => {
    const hash = sha256(bytes);
    writeFileSync(join(blobs, hash), bytes);
    return { mediaType, digest: `sha256:${hash}`, size: bytes.length };
  };
  const addJson = (value: object, mediaType: string): Descriptor =>
    add(Buffer.from(JSON.stringify(value)), mediaType);
  try {
    const made = layers.map((layer) => {
      const packed = packFolder(layer, createdAt);
      const descriptor = add(gzipSync(packed, { level: 9 }), type("layer.v1.tar+gzip"));
      return { descriptor, diffId: `sha256:${sha256(packed)}`, unpacked: packed.length };
    });
    const created = new Date(createdAt * 1000).toISOString().replace(".000Z", "Z");
    const imageConfig = addJson(
      {
        created,
        architecture: "amd64",
        os: "linux",
        config,
        rootfs: { type: "layers", diff_ids: made.map(({ diffId }) => diffId) },
        history: layers.map(({ comment }) => ({ created, created_by: comment })),
      },
      type("config.v1+json"),
    );
    const manifest = addJson(
      {
        schemaVersion: 2,
        mediaType: type("manifest.v1+json"),
        config: imageConfig,
        layers: made.map(({ descriptor }) => descriptor),
      },
      type("manifest.v1+json"),
    );
    const named = {
      "org.opencontainers.image.ref.name": tag.split(":").at(-1)!,
      "io.containerd.image.name": tag,
    };
    const index = {
      schemaVersion: 2,
      mediaType: type("index.v1+json"),
      manifests: [{ ...manifest, annotations: named }],
    };
    writeFileSync(join(folder, "index.json"), JSON.stringify(index));
    writeFileSync(join(folder, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
    // For a Docker before 25, which reads this file instead.
    const path = ({ digest }: Descriptor): string => `blobs/sha256/${digest.slice(7)}`;
    const older = [
      { Config: path(imageConfig), RepoTags: [tag], Layers: made.map(({ descriptor }) => path(descriptor)) },
    ];
    writeFileSync(join(folder, "manifest.json"), JSON.stringify(older));
    writeFileSync(target, packFolder({ folder, comment: "" }, createdAt));
    return {
      digest: manifest.digest,
      bytes: sum(made.map(({ descriptor }) => descriptor.size)),
      unpackedBytes: sum(made.map(({ unpacked }) => unpacked)),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Names in order, one time for all, everything of root but one folder. */
function packFolder({ folder, owned }: Layer, time: number): Buffer {
  const file = join(mkdtempSync(join(tmpdir(), "plinth-layer-")), "layer.tar");
  const common = [
    "--format=ustar",
    "--sort=name",
    `--mtime=@${time}`,
    "--numeric-owner",
    `--file=${file}`,
    `--directory=${folder}`,
  ];
  const ownedPath = owned === undefined ? [] : [`--exclude=./${owned.path}`];
  tar(["--create", "--owner=0", "--group=0", ...common, ...ownedPath, "."]);
  if (owned)
    tar(["--append", `--owner=${owned.user}`, `--group=${owned.user}`, ...common, `./${owned.path}`]);
  const bytes = readFileSync(file);
  rmSync(join(file, ".."), { recursive: true });
  return bytes;
}

function tar(args: readonly string[]): void {
  const { status, stderr } = spawnSync("tar", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`tar ended with ${status}: ${stderr}`);
}

export const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
