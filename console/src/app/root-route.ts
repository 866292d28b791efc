import { createRootRoute, retainSearchParams } from "@tanstack/react-router";
import { textOf } from "../parts/page/search.ts";

/**
 * Every page is below this one. `env`, the chosen environment, stays in the address from page to page. The router adds the frame, which
 * knows all pages.
 */
export const rootRoute = createRootRoute({
  validateSearch: (search: Record<string, unknown>): { env?: string } => {
    const env = textOf(search, "env");
    return env === undefined ? {} : { env };
  },
  search: { middlewares: [retainSearchParams(["env"])] },
});
