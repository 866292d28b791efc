/** What the builder's services and its worker take from the configuration. */
import { resolve } from "node:path";
import type { Config } from "../platform/config/schema.ts";
import type { BuilderSettings } from "./context.ts";
import { readIntegrations } from "./git/integrations.ts";

export function builderSettings(config: Config): BuilderSettings {
  const { mesh, server, dataDir, actionHandlers, integrations } = config;
  const { environments, namespace, actions, git } = mesh.builder;
  const ownUrl = server.baseUrl ?? `http://${server.host}:${server.port}`;
  return {
    environments: environments.map(({ name }) => name),
    namespace,
    dataDir: resolve(dataDir, "builder"),
    actionHandlers,
    baseUrl: ownUrl.replace(/\/+$/, ""),
    actions: actions.folder === undefined ? actions : { ...actions, folder: resolve(actions.folder) },
    git,
    integrations: readIntegrations(integrations),
  };
}
