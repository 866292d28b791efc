/** A backend module that registers an action with the scaffolder's extension point. */
const backendFeature = require("./backend-feature.cjs");

const deps = {
  scaffolder: { id: "scaffolder.actions", $$type: "@backstage/ExtensionPoint" },
  templating: { id: "scaffolder.templating", $$type: "@backstage/ExtensionPoint" },
  config: { id: "core.rootConfig", $$type: "@backstage/ServiceRef" },
  logger: { id: "core.logger", $$type: "@backstage/ServiceRef" },
  reader: { id: "core.urlReader", $$type: "@backstage/ServiceRef" },
};

const feature = backendFeature("sail", deps, async ({ scaffolder, templating, config, logger, reader }) => {
  templating.addTemplateFilters({});
  logger.child({}).info("registered");
  const color = config.getOptionalString("sail.color") ?? "white";
  scaffolder.addActions({
    id: "ship:sail",
    description: "Sets a sail.",
    async handler(ctx) {
      if (ctx.input.reads) await reader.readUrl("https://example.com");
      ctx.output("color", color);
    },
  });
});

module.exports = { __esModule: true, default: feature };
