/** A backend module that hands its filters to the scaffolder's extension point. */
const backendFeature = require("./backend-feature.cjs");

const deps = {
  templating: { id: "scaffolder.templating", $$type: "@backstage/ExtensionPoint" },
  logger: { id: "core.logger", $$type: "@backstage/ServiceRef" },
};

module.exports = {
  default: backendFeature("words", deps, async ({ templating, logger }) => {
    logger.child({}).info("registered");
    templating.addTemplateFilters([
      {
        id: "backwards",
        description: "Turns a text around.",
        schema: { input: { type: "string" }, output: { type: "string" } },
        examples: [{ example: "${{ 'abc' | backwards }}" }],
        filter: (input) => Array.from(String(input)).toReversed().join(""),
      },
    ]);
    templating.addTemplateGlobals({ flag: "blue" });
  }),
};
