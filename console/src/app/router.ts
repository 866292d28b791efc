import { createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { basePath } from "../api/base-path.ts";
import { oneOf, optional, textOf } from "../parts/page/search.ts";
import { Frame } from "./frame/frame.tsx";
import { pageRoutes } from "./groups.ts";
import { rootRoute } from "./root-route.ts";
import { NotFoundPage, RouteError, RoutePending } from "./route-states.tsx";

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: (search: Record<string, unknown>) =>
    optional({
      returnTo: textOf(search, "returnTo"),
      error: textOf(search, "error"),
      requestId: textOf(search, "requestId"),
      reason: oneOf(search, "reason", ["expired", "signed-out"]),
    }),
  component: lazyRouteComponent(() => import("./sign-in-page.tsx"), "SignInPage"),
});

rootRoute.update({
  component: Frame,
  notFoundComponent: NotFoundPage,
  errorComponent: RouteError,
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([signInRoute, ...pageRoutes]),
  basepath: basePath === "" ? "/" : basePath,
  defaultPreload: "intent",
  // Queries have their own idea of what is fresh.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  // In the place of the page, so that the frame stays.
  defaultErrorComponent: RouteError,
  defaultPendingComponent: RoutePending,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
