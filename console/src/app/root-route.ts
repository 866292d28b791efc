import { createRootRoute, retainSearchParams } from "@tanstack/react-router";
import { textOf } from "../parts/page/search.ts";
import { Frame } from "./frame/frame.tsx";
import { NotFoundPage, RouteError, RoutePending } from "./route-states.tsx";

/** Every page is below this one. `env`, the chosen environment, stays in the address from page to page. */
export const rootRoute = createRootRoute({
  validateSearch: (search: Record<string, unknown>): { env?: string } => {
    const env = textOf(search, "env");
    return env === undefined ? {} : { env };
  },
  search: { middlewares: [retainSearchParams(["env"])] },
  component: Frame,
  notFoundComponent: NotFoundPage,
  errorComponent: RouteError,
  pendingComponent: RoutePending,
});
