/** What the builder's services and its worker take from the configuration. */
import { resolve } from "node:path";
import type { Config } from "../platform/config/schema.ts";
import type { BuilderSettings } from "./context.ts";

export function builderSettings({ mesh, server, dataDir, actionHandlers }: Config): BuilderSettings {
  const { environments, namespace } = mesh.builder;
  const ownUrl = server.baseUrl ?? `http://${server.host}:${server.port}`;
  return {
    environments: environments.map(({ name }) => name),
    namespace,
    dataDir: resolve(dataDir, "builder"),
    actionHandlers,
    baseUrl: ownUrl.replace(/\/+$/, ""),
  };
}
