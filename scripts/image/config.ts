/** How the image's program is started; the Dockerfile says the same (test/image/image.test.ts compares them). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { programFlags, programVariables } from "../first-line.ts";

export const root = join(import.meta.dirname, "../..");

/** No name but a number, so that Kubernetes can see that it is not root. */
export const user = 65_532;
export const dataFolder = "/var/lib/plinth";
export const nodePath = "/usr/local/bin/node";

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
export const release = version;

export const imageConfig = {
  User: `${user}:${user}`,
  ExposedPorts: { "7007/tcp": {} },
  Env: [
    "PATH=/usr/local/bin:/usr/bin:/bin",
    "NODE_ENV=production",
    `HOME=${dataFolder}`,
    // What Node.js has compiled outlives a restart of the container, where /tmp does.
    "NODE_COMPILE_CACHE=/tmp/plinth-compiled",
    "PLINTH_SERVER_HOST=0.0.0.0",
    `PLINTH_DATA_DIR=${dataFolder}`,
    ...programVariables,
  ],
  Entrypoint: [nodePath, ...programFlags, "/app/dist/plinth.js"],
  Cmd: ["start"],
  WorkingDir: dataFolder,
  StopSignal: "SIGTERM",
  Labels: {
    "org.opencontainers.image.title": "plinth",
    "org.opencontainers.image.version": version,
    "org.opencontainers.image.licenses": "Apache-2.0",
  },
};
