/** A backend module for the scaffolder, in the form that Backstage gives it. */
module.exports = (moduleId, deps, func) => ({
  $$type: "@backstage/BackendFeature",
  version: "v1",
  featureType: "registrations",
  getRegistrations: () => [
    {
      type: "module-v1.1",
      pluginId: "scaffolder",
      moduleId,
      extensionPoints: [],
      init: { deps, func },
    },
  ],
});
