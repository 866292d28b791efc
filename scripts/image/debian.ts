/**
 * The part of Debian that the program needs: the C and C++ libraries that Node.js is linked to, git (which the builder runs) with its
 * libraries, the shell that limits git's files, and the certificates that git trusts. deploy/image/debian.json pins version and hash of
 * each package; apt fetches them.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./config.ts";
import { cacheFolder } from "../../vitest.config.ts";

export interface DebianPackage {
  name: string;
  version: string;
  sha256: string;
}

interface Pinned {
  release: string;
  architecture: string;
  packages: DebianPackage[];
}

const pinnedFile = join(root, "deploy/image/debian.json");

const runtime = ["libc6", "libgcc-s1", "libstdc++6"];
/** What git-remote-https is linked to, and git itself. */
const forGit = `
  ca-certificates dash git libbrotli1 libcom-err2 libcurl3-gnutls libffi8 libgmp10 libgnutls30
  libgssapi-krb5-2 libhogweed6 libidn2-0 libk5crypto3 libkeyutils1 libkrb5-3 libkrb5support0
  libldap-2.5-0 libnettle8 libnghttp2-14 libp11-kit0 libpcre2-8-0 libpsl5 librtmp1 libsasl2-2
  libssh2-1 libssl3 libtasn1-6 libunistring2 libzstd1 zlib1g`
  .trim()
  .split(/\s+/);

/** The archives of the pinned packages, from the cache or from Debian. */
export function fetchPackages({ withGit }: { withGit: boolean }): { name: string; archive: string }[] {
  const { packages } = JSON.parse(readFileSync(pinnedFile, "utf8")) as Pinned;
  const wanted = new Set(withGit ? [...runtime, ...forGit] : runtime);
  const folder = join(cacheFolder, "debian");
  mkdirSync(folder, { recursive: true });
  const chosen = packages.filter(({ name }) => wanted.has(name));
  const isThere = (each: DebianPackage): boolean => existsSync(archiveOf(folder, each));
  const missing = chosen.filter((each) => !isThere(each));
  if (missing.length > 0) download(folder, missing);
  return chosen.map((each) => {
    const archive = archiveOf(folder, each);
    const found = createHash("sha256").update(readFileSync(archive)).digest("hex");
    if (found !== each.sha256)
      throw new Error(`${each.name} ${each.version} has the hash ${found}, and ${each.sha256} is pinned.`);
    return { name: each.name, archive };
  });
}

function download(folder: string, packages: readonly DebianPackage[]): void {
  const args = packages.map(({ name, version }) => `${name}=${version}`);
  const { status, stderr } = spawnSync("apt-get", ["download", "--quiet", ...args], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status === 0) return;
  throw new Error(
    `apt could not fetch the pinned packages: ${stderr.trim()}\nRun apt-get update; where Debian has newer versions, pin those with ` +
      "node scripts/image.ts --pin, and look at the change.",
  );
}

/** As apt names the file: `1:2.39` becomes `1%3a2.39`. */
function archiveOf(folder: string, { name, version }: DebianPackage): string {
  const start = `${name}_${version.replaceAll(":", "%3a")}_`;
  const file = readdirSync(folder).find((each) => each.startsWith(start) && each.endsWith(".deb"));
  return join(folder, file ?? `${start}amd64.deb`);
}

/** Pins what Debian offers now. */
export function pinPackages(): void {
  const packages = [...runtime, ...forGit].toSorted().map((name) => {
    const { stdout } = spawnSync("apt-cache", ["show", "--no-all-versions", name], { encoding: "utf8" });
    const field = (key: string): string => new RegExp(`^${key}: (.+)$`, "m").exec(stdout)?.[1] ?? "";
    const found = { name, version: field("Version"), sha256: field("SHA256") };
    if (found.version === "" || found.sha256 === "") throw new Error(`apt does not know ${name}.`);
    return found;
  });
  const pinned: Pinned = { release: "bookworm", architecture: "amd64", packages };
  writeFileSync(pinnedFile, `${JSON.stringify(pinned, null, 2)}\n`);
}
