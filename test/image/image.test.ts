/** What is written down twice about the image says the same. `npm run test:image` builds and runs it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { imageConfig, nodePath } from "../../scripts/image/config.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** The last stage of a Dockerfile, as an engine would store it. */
function configOf(dockerfile: string): object {
  const lines = dockerfile.slice(dockerfile.lastIndexOf("\nFROM ")).split("\n");
  const all = (name: string): string[] =>
    lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const list = (name: string): unknown => JSON.parse(all(name)[0] ?? "null");
  return {
    User: all("USER")[0],
    ExposedPorts: Object.fromEntries(all("EXPOSE").map((port) => [port, {}])),
    Env: all("ENV"),
    Entrypoint: list("ENTRYPOINT"),
    Cmd: list("CMD"),
    WorkingDir: all("WORKDIR")[0],
    StopSignal: all("STOPSIGNAL")[0],
    Labels: Object.fromEntries(
      all("LABEL").map((line) => [line.split("=", 1)[0], JSON.parse(line.slice(line.indexOf("=") + 1))]),
    ),
  };
}

it("the Dockerfile makes what the script makes", () => {
  expect(configOf(read("Dockerfile"))).toEqual(imageConfig);
});

it("starts as a user by number, without a shell, with what the program's first line says", () => {
  expect(imageConfig.User).toBe("65532:65532");
  expect(imageConfig.Entrypoint.slice(0, 2)).toEqual(["/usr/local/bin/node", "--max-semi-space-size=4"]);
  expect(imageConfig.Entrypoint.at(-1)).toBe("/app/dist/plinth.js");
  expect(imageConfig.Env.slice(-2)).toEqual(["MALLOC_ARENA_MAX=2", "MALLOC_MMAP_THRESHOLD_=262144"]);
});

it("the builder of the Dockerfile has the Node.js that package.json pins", () => {
  const { devDependencies } = JSON.parse(read("package.json")) as { devDependencies: { node: string } };
  expect(read("Dockerfile")).toContain(`FROM node:${devDependencies.node}-bookworm AS build`);
});

it("the unit starts the same program with the same flags and variables", () => {
  const unit = read("deploy/systemd/plinth.service");
  for (const variable of imageConfig.Env.slice(-2)) expect(unit).toContain(`\nEnvironment=${variable}\n`);
  const command = /^ExecStart=(.+)$/m.exec(unit)?.[1]?.split(" ");
  const [, ...flags] = imageConfig.Entrypoint.slice(0, -1);
  expect(command).toEqual([
    "/opt/plinth/bin/node",
    ...flags,
    "/opt/plinth/dist/plinth.js",
    "start",
    "--config",
    "/etc/plinth/plinth.yaml",
  ]);
});

it("the chart's mock provisioner and its security context fit the image", () => {
  expect(read("charts/plinth/templates/mock-provisioner.yaml")).toContain(
    `command: [${nodePath}, /app/dist/mock-adapter.js]`,
  );
  expect(read("charts/plinth/values.yaml")).toContain("runAsUser: 65532");
});

it("every package of Debian is pinned by version and hash", () => {
  const { packages } = JSON.parse(read("deploy/image/debian.json")) as { packages: object[] };
  expect(packages.length).toBeGreaterThan(30);
  for (const each of packages)
    expect(each).toEqual({
      name: expect.stringMatching(/^[a-z0-9.+-]+$/),
      version: expect.stringMatching(/^[0-9][\w.:+~-]*$/),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
});
