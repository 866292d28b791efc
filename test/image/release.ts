/**
 * The chart's release on the image, without a cluster: each deployment's container is started with the command, variables and
 * configuration that Helm rendered, its probes are asked, and the demo's main job goes through the paths of the ingress. Ports differ, because
 * the pods share this machine's network.
 */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Connection } from "../../src/platform/db/database.ts";
import { ensureDatabase } from "../../src/platform/db/migrations/migrate.ts";
import type { KubernetesObject } from "../chart/objects.ts";
import { containerOf, deploymentsOf, type Deployment, type Variable } from "../chart/relations.ts";
import { helm, objectsOf } from "../chart/render.ts";
import { installTools } from "../chart/tools.ts";
import { eventually } from "../support/eventually.ts";
import type { Container, ContainerOptions } from "./container.ts";

export interface ReleaseOptions {
  image: { Entrypoint: string[]; Env: string[] };
  connection: Connection;
  /** Holds the rendered configuration. */
  home: string;
  start: (options: Pick<ContainerOptions, "command" | "env" | "config" | "user">) => Container;
}

export interface Release {
  /** What the ingress's host stands for. */
  url: string;
  token: string;
  adapterSecret: string;
  mock: { container: Container; url: string };
  /** Ends every pod with SIGTERM; their exit codes by name. */
  stop: () => Promise<Record<string, number | string>>;
}

const token = "release-test-token-of-an-admin-0123456789";
const adapterSecret = "release-test-secret-of-adapters-0123456789";

export async function installRelease({ image, connection, home, start }: ReleaseOptions): Promise<Release> {
  const database = { ...connection, dbname: "release" };
  await ensureDatabase(database);
  const objects = render(database);
  const secrets: Record<string, Record<string, string>> = {
    "plinth-database": { username: connection.user, password: connection.password },
    "plinth-key": { "installation-key": Buffer.alloc(32, 9).toString("base64") },
    "plinth-adapters": { "adapter-secret": adapterSecret },
    pipeline: { token },
  };
  const valueOf = ({ name, value, valueFrom }: Variable): string => {
    const { secretKeyRef: from } = valueFrom ?? {};
    return `${name}=${value ?? secrets[from?.name ?? ""]?.[from?.key ?? ""] ?? assert.fail(`no value of ${name}`)}`;
  };
  const config = join(home, "release");
  mkdirSync(config);
  for (const [name, text] of Object.entries(configOf(objects))) writeFileSync(join(config, name), text);
  const pods = deploymentsOf(objects).map((deployment) => {
    const { command = image.Entrypoint, args, env } = containerOf(deployment);
    const ownPort = args.map((arg) => (arg === "8080" ? "0" : arg));
    const container = start({
      command: [...command, ...ownPort],
      config,
      env: [...image.Env, ...env.map(valueOf), "PLINTH_SERVER_PORT=0"],
      user: runAsUser(deployment),
    });
    return { name: deployment.metadata.name, deployment, container };
  });
  const addresses = new Map<string, string>();
  for (const { name, container, deployment } of pods) {
    const url = await container.line(({ url: served, listening }) => {
      const found = served ?? listening;
      return typeof found === "string" ? found.replace("0.0.0.0", "127.0.0.1") : undefined;
    });
    addresses.set(name, url);
    for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"])
      await ask(deployment, probe, url);
  }
  const ingress = await openIngress(objects, addresses);
  const mock = pods.find(({ name }) => name.endsWith("-mock-provisioner"))!;
  return {
    url: `http://127.0.0.1:${(ingress.address() as AddressInfo).port}`,
    token,
    adapterSecret,
    mock: { container: mock.container, url: addresses.get(mock.name)! },
    async stop() {
      ingress.closeAllConnections();
      ingress.close();
      for (const { container } of pods) container.process.kill("SIGTERM");
      const codes = pods.map(async ({ name, container }) => [name, await container.ended] as const);
      return Object.fromEntries(await Promise.all(codes));
    },
  };
}

function render({ host, port, dbname }: Connection): KubernetesObject[] {
  const tokens = [{ name: "test", secret: { $env: "TEST_TOKEN" }, roles: ["admin"] }];
  const { status, output } = helm(installTools(), "template", "minimal", {
    database: { host, port, coordinator: { dbname } },
    config: { auth: { providers: { oidc: null, service: { default: { tokens } } } } },
    extraEnv: [{ name: "TEST_TOKEN", valueFrom: { secretKeyRef: { name: "pipeline", key: "token" } } }],
    mockProvisioner: { enabled: true },
    ingress: { enabled: true, className: "test", host: "plinth.example.com" },
  });
  assert.equal(status, 0, output);
  return objectsOf(output);
}

const configOf = (objects: readonly KubernetesObject[]): Record<string, string> => {
  const map = objects.find(({ kind, metadata }) => kind === "ConfigMap" && metadata.name.endsWith("-config"));
  return map!["data"] as Record<string, string>;
};

const runAsUser = ({ spec }: Deployment): number => {
  const pod = spec.template.spec as { securityContext?: { runAsUser?: number } };
  return pod.securityContext?.runAsUser ?? 0;
};

/** As the node asks a probe, where the container has one: again and again until it is ready, and once whether it is alive. */
async function ask(deployment: Deployment, name: string, url: string): Promise<void> {
  const probe = Reflect.get(containerOf(deployment), name) as { httpGet: { path: string } } | undefined;
  if (probe === undefined) return;
  const what = `${name} of ${deployment.metadata.name}`;
  const status = async (): Promise<number> => (await fetch(url + probe.httpGet.path)).status;
  if (name === "readinessProbe") await eventually(what, async () => ((await status()) === 200 ? true : null));
  else assert.equal(await status(), 200, what);
}

interface Rule {
  path: string;
  backend: { service: { name: string } };
}

/** Sends each request to the pods of the service that has the longest path. */
async function openIngress(
  objects: readonly KubernetesObject[],
  addresses: ReadonlyMap<string, string>,
): Promise<Server> {
  const { spec } = objects.find(({ kind }) => kind === "Ingress") as unknown as {
    spec: { rules: { http: { paths: Rule[] } }[] };
  };
  const rules = spec.rules[0]!.http.paths.toSorted((a, b) => b.path.length - a.path.length);
  const server = createServer((incoming, outgoing) => {
    const path = (incoming.url ?? "/").split("?")[0]!;
    const rule = rules.find((each) => path === each.path || path.startsWith(`${each.path}/`));
    const target = addresses.get(rule?.backend.service.name ?? "");
    if (target === undefined) {
      outgoing.writeHead(404).end();
      return;
    }
    const { method = "GET", headers } = incoming;
    const forwarded = request(target + incoming.url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return server;
}
