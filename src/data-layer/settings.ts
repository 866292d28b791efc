/** The settings of the data layer's parts, from the configuration. */
import type { Config } from "../platform/config/schema/schema.ts";
import type { DataLayerSettings } from "./context.ts";

export const dataLayerSettings = ({ dataLayer, dbs }: Config): DataLayerSettings => ({
  isTracking: dataLayer.autoTracking,
  sources: dbs.sources.map(({ name }) => name),
  bounds: { timeoutMs: dataLayer.queryTimeoutMs, maxLength: dataLayer.limits.answerLength },
});
