/** A backend module that hands its filters to the scaffolder's extension point. */
module.exports = {
  default: {
    $$type: "@backstage/BackendFeature",
    version: "v1",
    featureType: "registrations",
    getRegistrations: () => [
      {
        type: "module-v1.1",
        pluginId: "scaffolder",
        moduleId: "words",
        extensionPoints: [],
        init: {
          deps: {
            templating: { id: "scaffolder.templating", $$type: "@backstage/ExtensionPoint" },
            logger: { id: "core.logger", $$type: "@backstage/ServiceRef" },
          },
          func: async ({ templating, logger }) => {
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
          },
        },
      },
    ],
  },
};
