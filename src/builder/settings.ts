/** The settings of the builder's services and worker, from the configuration. */
import { resolve } from "node:path";
import type { Config } from "../platform/config/schema/schema.ts";
import type { BuilderSettings } from "./context.ts";
import { readIntegrations } from "./git/integrations.ts";

/** Files shipped with the product: the default taxonomy and access request templates. */
const ownFolder = resolve(import.meta.dirname, "../../catalogue");

/** `current` returns the configuration after the last reload; the secrets of hooks and Git hosts are read from it. */
export function builderSettings(config: Config, current: () => Config = () => config): BuilderSettings {
  const { mesh, server, dataDir } = config;
  const integrations = cachedFor(current, (of) => readIntegrations(of.integrations));
  const { environments, namespace, archive, actions, git, catalogue, instantiations } = mesh.builder;
  const ownUrl = server.baseUrl ?? `http://${server.host}:${server.port}`;
  return {
    environments: environments.map(({ name }) => name),
    namespace,
    dataDir: resolve(dataDir, "builder"),
    get actionHandlers() {
      return current().actionHandlers;
    },
    baseUrl: ownUrl.replace(/\/+$/, ""),
    actions: actions.folder === undefined ? actions : { ...actions, folder: resolve(actions.folder) },
    git,
    get integrations() {
      return integrations();
    },
    catalogue: {
      folders: [...catalogue.folders.map((folder) => resolve(folder)), ownFolder],
      readTimeoutMs: catalogue.readTimeoutMs,
      refreshMs: catalogue.refreshSeconds * 1_000,
      peopleFrom: catalogue.peopleFrom,
    },
    renderTimeoutMs: archive.renderTimeoutMs,
    instantiations,
    showsDataContracts: mesh.marketplace.dataContracts.enabled,
  };
}

/** Computed once for each configuration. */
function cachedFor<T>(current: () => Config, compute: (config: Config) => T): () => T {
  let config = current();
  let value = compute(config);
  return () => {
    if (config === current()) return value;
    config = current();
    return (value = compute(config));
  };
}
