import { createRootRoute, retainSearchParams } from "@tanstack/react-router";
import { optional, textOf } from "../parts/page/search.ts";
import { tourSteps } from "./navigation.ts";

/**
 * Every page is below this one. `env`, the chosen environment, `tour`, the step of the tour, and `assistant`, the conversation with the
 * assistant that is open beside the page, stay in the address from page to page. The router adds the frame, which knows all pages.
 */
export const rootRoute = createRootRoute({
  validateSearch: (search: Record<string, unknown>): { env?: string; tour?: number; assistant?: string } => {
    const step = Number(search["tour"]);
    return optional({
      env: textOf(search, "env"),
      tour: Number.isInteger(step) && step >= 1 && step <= tourSteps ? step : undefined,
      assistant: textOf(search, "assistant"),
    });
  },
  search: { middlewares: [retainSearchParams(["env", "tour", "assistant"])] },
});
