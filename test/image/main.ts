/**
 * The image without an engine: built twice, unpacked, its files looked at, and run as its user on a read-only root beside a PostgreSQL outside:
 * migrations, the demo's main job through an API, a worker and two adapters of the image, SIGTERM. `npm run test:image`; needs root and
 * Debian's packages.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { doMainJob } from "../../src/cli/demo/demo.ts";
import { createStage } from "../../src/cli/demo/output.ts";
import { silentCli } from "../../src/cli/testdata.ts";
import { ensureDatabase } from "../../src/platform/db/migrations/migrate.ts";
import type { Connection } from "../../src/platform/db/database.ts";
import { user } from "../../scripts/image/config.ts";
import { withOwnPostgres } from "../support/own-postgres.ts";
import { unpackImage, type UnpackedImage } from "./archive.ts";
import { installRelease } from "./release.ts";
import { checkOnMachine } from "./machine.ts";
import { startContainer, type Container, type ContainerOptions } from "./container.ts";

if (process.getuid?.() !== 0) {
  console.error("It needs root, for namespaces of mounts and another user.");
  process.exit(2);
}

const home = mkdtempSync(join(tmpdir(), "plinth-image-test-"));
chmodSync(home, 0o755);
const root = join(home, "root");
const running: Container[] = [];
const say = (text: string): void => console.log(`ok ${text}`);

try {
  const image = buildTwice();
  lookAtFiles();
  compareWithDockerfile();
  checkOnMachine(home);
  await checkPrograms(image);
  await withOwnPostgres("image", async (connection) => {
    await runIn(image, connection);
    await runRelease(image, connection);
  });
} finally {
  for (const { process: child } of running) child.kill("SIGKILL");
  await Promise.all(running.map(({ ended }) => ended));
  rmSync(home, { recursive: true, force: true });
}

function buildTwice(): UnpackedImage {
  const archives = ["a.tar", "b.tar"].map((name) => {
    const target = join(home, name);
    const script = join(import.meta.dirname, "../../scripts/image.ts");
    const { status, stderr } = spawnSync(process.execPath, [script, "--target", target], {
      encoding: "utf8",
    });
    assert.equal(status, 0, stderr);
    return target;
  });
  assert.ok(readFileSync(archives[0]!).equals(readFileSync(archives[1]!)), "two builds differ");
  const image = unpackImage(archives[0]!, { blobs: join(home, "blobs"), root });
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
  assert.ok(image.bytes < 66e6 && image.unpackedBytes < 175e6, "the image has grown");
  say(
    `two builds are the same bytes, ${image.digest}; every hash fits; ${megabytes(image.bytes)} to download, ` +
      `${megabytes(image.unpackedBytes)} unpacked`,
  );
  return image;
}

/** Nobody but root may change a file, nothing raises rights, and only the data folder is not root's. */
function lookAtFiles(): void {
  const found = { files: 0, owned: [] as string[], writable: [] as string[], raising: [] as string[] };
  const walk = (folder: string): void => {
    for (const name of readdirSync(join(root, folder))) {
      const path = join(folder, name);
      const stats = lstatSync(join(root, path));
      found.files += 1;
      if (stats.uid !== 0 || stats.gid !== 0)
        found.owned.push(`${path} ${stats.uid}:${stats.gid} ${(stats.mode & 0o7777).toString(8)}`);
      if (!stats.isSymbolicLink() && (stats.mode & 0o022) !== 0)
        found.writable.push(`${path} ${(stats.mode & 0o7777).toString(8)}`);
      if (stats.isFile() && (stats.mode & 0o6000) !== 0) found.raising.push(path);
      if (stats.isDirectory()) walk(path);
    }
  };
  walk("/");
  const { files, ...rest } = found;
  assert.deepEqual(rest, {
    owned: [`/var/lib/plinth ${user}:${user} 700`],
    writable: ["/tmp 1777"],
    raising: [],
  });
  say(`${files} files: root's, not writable by others but /tmp, none raises rights`);
}

/** The Dockerfile copies what `--root` lays out. */
function compareWithDockerfile(): void {
  const other = join(home, "other");
  const script = join(import.meta.dirname, "../../scripts/image.ts");
  const { status, stderr } = spawnSync(process.execPath, [script, "--root", other], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  const difference = spawnSync("diff", ["--recursive", "--no-dereference", root, other], {
    encoding: "utf8",
  });
  assert.equal(difference.stdout, "");
  rmSync(other, { recursive: true });
  say("what the Dockerfile copies is the same");
}

/** Each program finds its libraries, and git speaks https. */
async function checkPrograms({ config }: UnpackedImage): Promise<void> {
  const inRoot = async (...command: string[]): Promise<string> => {
    const container = startContainer({ root, user, command, env: config.Env });
    running.push(container);
    await container.ended;
    return container.output();
  };
  const programs = [
    "/usr/local/bin/node",
    "/usr/bin/git",
    "/usr/lib/git-core/git-remote-https",
    "/usr/bin/dash",
  ];
  for (const program of programs) {
    const listed = await inRoot("/lib64/ld-linux-x86-64.so.2", "--list", program);
    assert.match(listed, /libc\.so\.6 => \//, program);
    assert.doesNotMatch(listed, /not found/, program);
  }
  assert.match(await inRoot("/usr/bin/git", "--version"), /^git version 2\./);
  // Reads the certificates before it connects; nobody listens there.
  const refused = await inRoot("/usr/bin/git", "ls-remote", "https://127.0.0.1:1/none.git");
  assert.match(refused, /Failed to connect to 127\.0\.0\.1 port 1/);
  assert.match(await inRoot("/bin/sh", "-c", "ulimit -f 8 && echo limited"), /^limited$/);
  const packageFile = join(import.meta.dirname, "../../node_modules/node/package.json");
  const { version } = JSON.parse(readFileSync(packageFile, "utf8")) as { version: string };
  assert.equal(await inRoot("/usr/local/bin/node", "--version"), `v${version}`);
  say(`Node.js ${version}, git and the shell find their libraries`);
}

async function runIn({ config }: UnpackedImage, connection: Connection): Promise<void> {
  const target: Connection = { ...connection, dbname: "fleet" };
  await ensureDatabase(target);
  const [token, adapterSecret] = [
    "image-test-token-of-an-admin-0123456789",
    "image-test-secret-of-adapters-0123456789",
  ];
  const configured = join(home, "config");
  mkdirSync(configured);
  writeFileSync(
    join(configured, "plinth.yaml"),
    JSON.stringify({
      auth: {
        providers: {
          service: {
            default: { tokens: [{ name: "test", secret: { $env: "TEST_TOKEN" }, roles: ["admin"] }] },
          },
        },
      },
    }),
  );
  const start = (command: readonly string[], env: readonly string[] = []): Container => {
    const container = startContainer({
      root,
      user,
      command,
      config: configured,
      // Neither is needed for a start, nor for this job.
      without: ["/usr/bin/dash", "/usr/bin/git"],
      env: [...config.Env, `CORE_BACKEND_PLUGIN_AUTH_SECRET=${adapterSecret}`, ...env],
    });
    running.push(container);
    return container;
  };
  const { host, port, user: name, password, dbname } = connection;
  const serverEnv = [
    `PLATFORM_DB_HOST=${host}`,
    `PLATFORM_DB_PORT=${port}`,
    `PLATFORM_DB_USERNAME=${name}`,
    `PLATFORM_DB_PASSWORD=${password}`,
    `COORDINATOR_DB_DBNAME=${dbname}`,
    `PLINTH_MESH_BUILDER_INSTANTIATIONS_SECRET_KEY=${Buffer.alloc(32, 7).toString("base64")}`,
    "PLINTH_SERVER_PORT=0",
    "PLINTH_SERVER_WORKERS_LISTEN=true",
    `TEST_TOKEN=${token}`,
  ];
  const plinth = (...more: string[]): Container =>
    start([...config.Entrypoint, ...config.Cmd, "--config", "/etc/plinth/plinth.yaml", ...more], serverEnv);
  const adapter = (file: string, env: string[] = []): Container =>
    start([config.Entrypoint[0]!, `/app/dist/${file}.js`, "--port", "0"], env);

  const api = plinth("--workers", "off");
  const url = await urlOf(api);
  const worker = plinth("--workers", "only");
  const workerUrl = await urlOf(worker);
  for (const address of [url, workerUrl])
    assert.deepEqual([await statusOf(`${address}/healthz`), await statusOf(`${address}/readyz`)], [200, 200]);
  say("an API and a worker migrate an empty database and are ready");
  for (const { process: child } of [api, worker]) checkProcess(child.pid!);
  say(`they run as ${user}, without rights, and see nothing that they could write to but their two folders`);

  const mock = adapter("mock-adapter");
  const postgres = adapter("postgres-adapter", [`POSTGRES_ADAPTER_DATABASE_URL=${addressOf(target)}`]);
  const adapters = { mock: await asAdapter(mock, "mock"), postgres: await asAdapter(postgres, "postgres") };
  const cli = { ...silentCli(), signal: AbortSignal.timeout(300_000) };
  const stage = createStage(cli, true);
  const demo = { url, consoleUrl: null, dataDir: home, target, adapters };
  await doMainJob(cli, { stage, demo, server: { url, token, signal: cli.signal } });
  say("the demo's main job: adapters, descriptor, validation, plan, provisioning, query, one change");

  for (const container of [api, worker]) {
    const bad = container
      .output()
      .split("\n")
      .filter((line) => /"level":"?(?:error|fatal|50|60)/.test(line));
    assert.deepEqual(bad, []);
  }
  for (const [container, what] of [
    [worker, "worker"],
    [api, "API"],
    [mock, "mock"],
    [postgres, "PostgreSQL adapter"],
  ] as const) {
    container.process.kill("SIGTERM");
    assert.equal(await container.ended, 0, `the ${what} on SIGTERM:\n${container.output().slice(-2000)}`);
  }
  say("SIGTERM ends each with 0");

  const without = start([...config.Entrypoint, ...config.Cmd], config.Env);
  assert.equal(await without.ended, 2);
  assert.match(without.output(), /auth|credentials|provider/i);
  const noDatabase = start(
    [...config.Entrypoint, ...config.Cmd, "--config", "/etc/plinth/plinth.yaml"],
    [`TEST_TOKEN=${token}`],
  );
  assert.notEqual(await noDatabase.ended, 0);
  assert.match(noDatabase.output(), /PLATFORM_DB_HOST/);
  say("without sign-in, or without a database, it says what to set");
}

/** Deployments, probes and ingress of the chart, with this image. */
async function runRelease({ config }: UnpackedImage, connection: Connection): Promise<void> {
  const start = (options: Pick<ContainerOptions, "command" | "env" | "config" | "user">): Container => {
    const container = startContainer({ root, without: ["/usr/bin/dash", "/usr/bin/git"], ...options });
    running.push(container);
    return container;
  };
  const release = await installRelease({ image: config, connection, home, start });
  say(
    "the chart's deployments and its mock provisioner migrate an empty database, and their probes are answered",
  );
  const target: Connection = { ...connection, dbname: "fleet_of_release" };
  await ensureDatabase(target);
  const adapter = start({
    command: [config.Entrypoint[0]!, "/app/dist/postgres-adapter.js"],
    env: [
      ...config.Env,
      `CORE_BACKEND_PLUGIN_AUTH_SECRET=${release.adapterSecret}`,
      `POSTGRES_ADAPTER_DATABASE_URL=${addressOf(target)}`,
    ],
    user,
  });
  const { url, token, mock } = release;
  const adapters = {
    mock: await asAdapter(mock.container, "mock"),
    postgres: await asAdapter(adapter, "postgres"),
  };
  const cli = { ...silentCli(), signal: AbortSignal.timeout(300_000) };
  const demo = { url, consoleUrl: null, dataDir: home, target, adapters };
  await doMainJob(cli, { stage: createStage(cli, true), demo, server: { url, token, signal: cli.signal } });
  say("the demo's main job through the paths of the chart's ingress");
  const codes = await release.stop();
  assert.deepEqual(new Set(Object.values(codes)), new Set([0]), JSON.stringify(codes));
  adapter.process.kill("SIGTERM");
  say(`SIGTERM ends ${Object.keys(codes).length} pods with 0`);
}

function addressOf({ host, port, dbname, ...login }: Connection): string {
  const [name, secret] = [login.user, login.password].map(encodeURIComponent);
  return `postgres://${name}:${secret}@${host}:${port}/${dbname}`;
}

/** The address that it prints is of every interface where it listens on all. */
async function asAdapter(container: Container, name: "mock" | "postgres") {
  const url = await container.line(({ listening }) =>
    typeof listening === "string" ? listening.replace("0.0.0.0", "127.0.0.1") : undefined,
  );
  return { name, url, pid: container.process.pid!, stop: async () => {} };
}

function urlOf(container: Container): Promise<string> {
  return container.line(({ url }) =>
    typeof url === "string" ? url.replace("0.0.0.0", "127.0.0.1") : undefined,
  );
}

async function statusOf(url: string): Promise<number> {
  return (await fetch(url)).status;
}

function checkProcess(pid: number): void {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const field = (name: string): string =>
    new RegExp(`^${name}:[ \\t]*(.*)$`, "m").exec(status)?.[1]?.trim() ?? "none";
  const ids = Array.from({ length: 4 }, () => String(user)).join("\t");
  assert.deepEqual(["Uid", "Gid", "Groups", "CapEff", "CapPrm", "NoNewPrivs"].map(field), [
    ids,
    ids,
    "",
    "0000000000000000",
    "0000000000000000",
    "1",
  ]);
  // What lies outside of its root it does not see.
  const mounts = readFileSync(`/proc/${pid}/mountinfo`, "utf8").trim().split("\n");
  const seen = mounts
    .map((line) => line.split(" "))
    .map((fields) => `${fields[4]} ${fields[5]!.split(",")[0]}`)
    .filter((place) => !place.startsWith("/dev/"));
  assert.deepEqual(seen.toSorted(), [
    "/ ro",
    "/dev ro",
    "/etc/plinth ro",
    "/proc rw",
    "/tmp rw",
    "/usr/bin/dash rw",
    "/usr/bin/git rw",
    "/var/lib/plinth rw",
  ]);
}
