import { createRootRoute, retainSearchParams } from "@tanstack/react-router";
import { optional, textOf } from "../parts/page/search.ts";

/**
 * Every page is below this one. `env`, the chosen environment, and `ask`, the conversation with the assistant that is open beside the
 * page, stay in the address from page to page. The router adds the frame, which knows all pages.
 */
export const rootRoute = createRootRoute({
  validateSearch: (search: Record<string, unknown>) =>
    optional({ env: textOf(search, "env"), ask: textOf(search, "ask") }),
  search: { middlewares: [retainSearchParams(["env", "ask"])] },
});
