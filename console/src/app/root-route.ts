import { createRootRoute, retainSearchParams } from "@tanstack/react-router";
import { optional, textOf } from "../parts/page/search.ts";
import { tourSteps } from "./navigation.ts";

/**
 * Every page is below this one. `env`, the chosen environment, and `tour`, the step of the tour, stay in the address from page to page.
 * The router adds the frame, which
 * knows all pages.
 */
export const rootRoute = createRootRoute({
  validateSearch: (search: Record<string, unknown>): { env?: string; tour?: number } => {
    const step = Number(search["tour"]);
    return optional({
      env: textOf(search, "env"),
      tour: Number.isInteger(step) && step >= 1 && step <= tourSteps ? step : undefined,
    });
  },
  search: { middlewares: [retainSearchParams(["env", "tour"])] },
});
