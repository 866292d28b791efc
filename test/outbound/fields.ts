/** Every field that takes an address, with the code that reads and calls it. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEmbedder } from "../../src/assistant/models/embeddings.ts";
import { createGuardedFetch } from "../../src/assistant/tools/mcp/guarded-fetch.ts";
import {
  fetchPlain,
  fetchPlainFile,
  fetchTemplate,
  fetchTemplateFile,
} from "../../src/builder/actions/fetch-template.ts";
import type { Action } from "../../src/builder/actions/action.ts";
import { actionBench, writeFiles } from "../../src/builder/actions/testdata.ts";
import { openLocation } from "../../src/builder/catalogue/sources/open-location.ts";
import { github } from "../../src/builder/actions/publishing/github.ts";
import { publishGit } from "../../src/builder/actions/publishing/publish-git.ts";
import { publishToHost } from "../../src/builder/actions/publishing/publish-host.ts";
import { createProbe } from "../../src/builder/catalogue/adapter-service.ts";
import { createAdapterClient } from "../../src/coordinator/adapters/protocol/client.ts";
import { createServiceClient } from "../../src/coordinator/adapters/protocol/service-client.ts";
import type { Outbound } from "../../src/platform/outbound/outbound.ts";
import { createSentSecrets } from "../../src/platform/outbound/sent-secrets.ts";
import type { Listeners } from "./listeners.ts";

export interface Fields {
  /** Gives the text to the field, and waits until all that follows from it is over, well or not. */
  byName: ReadonlyMap<string, (text: string) => Promise<unknown>>;
  close: () => Promise<void>;
}

export async function openFields(listeners: Listeners, client: Outbound): Promise<Fields> {
  const host = listeners.allowed;
  const bench = await actionBench({
    integrations: [{ kind: "github", host, apiBaseUrl: `http://${host}`, token: "token" }],
  });
  await writeFiles(bench.workspace, { "a.txt": "a" });
  bench.deps.outbound = { templates: client, locations: client, hooks: client, integrations: client };
  const signal = new AbortController().signal;
  const now = () => new Date();
  let times = 0;
  const run = (action: Action, input: Record<string, unknown>) =>
    bench.run(action, input, { taskId: `task-${(times += 1)}` }).finally(() => bench.checkpoints.clear());
  const location = (type: string) => async (target: string) => {
    const source = await openLocation(bench.deps, { type, target }, signal);
    try {
      await source.read(source.entry, 1_000);
    } finally {
      await source.close();
    }
  };
  const call = (url: string) => ({ url, idempotencyKey: "k", traceparent: "t", timeoutMs: 5_000 });
  const request = (url: string) => client.request({ method: "POST", url, body: "{}" });
  const limits = { callTimeoutMs: 5_000, idleMs: 5_000, attempts: 1, maxResponseBytes: 10_000 };
  const config = {
    provider: "openai-compatible",
    apiKey: "",
    deployment: "",
    apiVersion: "",
    model: "m",
    customHeaders: [],
  };
  const embed = (endpoint: string) =>
    createEmbedder({ outbound: client, limits, now } as never, { ...config, endpoint } as never).embed(
      ["a"],
      signal,
    );
  const mcp = createGuardedFetch(client, {
    timeoutMs: 5_000,
    maxBytes: 10_000,
    sent: createSentSecrets(),
    onExceeded: () => {},
  });
  const byName = new Map<string, (text: string) => Promise<unknown>>([
    ["fetch:plain", (url) => run(fetchPlain, { url })],
    ["fetch:plain:file", (url) => run(fetchPlainFile, { url, targetPath: "x" })],
    ["fetch:template", (url) => run(fetchTemplate, { url, values: {} })],
    ["fetch:template:file", (url) => run(fetchTemplateFile, { url, targetPath: "x", values: {} })],
    ["publish:git", (repoUrl) => run(publishGit, { repoUrl })],
    ["publish:git allowedHosts", (repoUrl) => run(publishGit, { repoUrl, allowedHosts: [host] })],
    [
      "clone_url of a git host",
      (text) => {
        listeners.cloneUrl = text;
        return run(publishToHost(github), { repoUrl: `${host}?owner=acme&repo=made` });
      },
    ],
    ["location url", location("url")],
    ["location git", location("git")],
    ["tech adapter", (url) => createAdapterClient({ outbound: client, now }).validate(call(url), "{}")],
    ["probe of an adapter", (url) => createProbe(client)(url, signal)],
    [
      "external service",
      (url) =>
        createServiceClient({ outbound: client, now, secretOf: () => undefined }).notify(
          call(url),
          "s",
          "{}",
        ),
    ],
    ["model endpoint", embed],
    ["MCP server", (url) => mcp(url, { method: "POST", body: "{}" })],
    ["external agent", request],
    ["hook", request],
    ["webhook", request],
    ["key set of an issuer", (url) => client.request({ method: "GET", url })],
  ]);
  return { byName, close: () => bench.close() };
}

/** Settings that must have no effect: proxies and git settings that lead to other hosts. */
export async function poisonEnvironment(elsewhere: string): Promise<() => Promise<void>> {
  const home = await mkdtemp(join(tmpdir(), "plinth-poison-"));
  await writeFile(
    join(home, ".gitconfig"),
    `[url "http://${elsewhere}/"]\n\tinsteadOf = http://\n[http]\n\tproxy = http://${elsewhere}\n`,
  );
  const proxy = `http://${elsewhere}`;
  Object.assign(process.env, {
    HOME: home,
    GIT_CONFIG_GLOBAL: join(home, ".gitconfig"),
    http_proxy: proxy,
    HTTP_PROXY: proxy,
    https_proxy: proxy,
    all_proxy: proxy,
    NODE_USE_ENV_PROXY: "1",
  });
  return () => rm(home, { recursive: true, force: true });
}
