/**
 * Builds the image without a container engine: a part of Debian, the pinned Node.js and the bundle, as an archive by the OCI layout.
 *
 *   npm run image [-- --target plinth-image.tar] [--tag plinth:0.1.0] [--without-git]
 *   npm run image -- --root <folder>      only the root file system, for the Dockerfile
 *   npm run image -- --program <folder>   only Node.js and the program, for a machine (systemd)
 *   npm run image -- --pin                pins the packages that Debian offers now
 *
 * Needs Debian 12 with apt, dpkg, GNU tar and binutils; no rights. Times come from SOURCE_DATE_EPOCH, or from the last commit.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { dataFolder, imageConfig, nodePath, release, root, user } from "./image/config.ts";
import { pinPackages } from "./image/debian.ts";
import { writeImage } from "./image/oci.ts";
import { layOutDebian, layOutNode, layOutProgram } from "./image/parts.ts";

const { values } = parseArgs({
  options: {
    target: { type: "string", default: "plinth-image.tar" },
    tag: { type: "string", default: `plinth:${release}` },
    "without-git": { type: "boolean", default: false },
    root: { type: "string" },
    program: { type: "string" },
    pin: { type: "boolean", default: false },
  },
});
const withGit = !values["without-git"];

process.umask(0o022);
if (values.pin) pinPackages();
else if (values.root !== undefined) await layOutRoot(resolve(values.root));
else if (values.program !== undefined) await layOutForMachine(resolve(values.program));
else await build();

async function build(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "plinth-parts-"));
  const [debian, node, program] = ["debian", "node", "program"].map((name) => join(folder, name));
  try {
    layOutDebian(debian!, { withGit });
    layOutNode(node!);
    await layOutProgram(join(program!, "app"));
    const summary = writeImage({
      layers: [
        { folder: debian!, comment: "Debian packages", owned: { path: dataFolder.slice(1), user } },
        { folder: node!, comment: "Node.js" },
        { folder: program!, comment: "Plinth" },
      ],
      config: imageConfig,
      tag: values.tag,
      createdAt: createdAt(),
      target: values.target,
    });
    console.log(JSON.stringify({ file: values.target, tag: values.tag, ...summary }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function layOutRoot(target: string): Promise<void> {
  mkdirSync(target, { recursive: true });
  layOutDebian(target, { withGit });
  layOutNode(target);
  await layOutProgram(join(target, "app"));
}

async function layOutForMachine(target: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "plinth-node-"));
  layOutNode(folder);
  await layOutProgram(target);
  cpSync(join(folder, nodePath), join(target, "bin/node"), { recursive: true });
  rmSync(folder, { recursive: true });
}

function createdAt(): number {
  const given = process.env["SOURCE_DATE_EPOCH"] ?? "";
  if (/^\d+$/.test(given)) return Number(given);
  const { stdout } = spawnSync("git", ["log", "-1", "--format=%ct"], { cwd: root, encoding: "utf8" });
  return Number(stdout.trim()) || 0;
}
