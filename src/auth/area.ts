/** Tokens, service accounts and sessions as one HTTP interface. */
import type { Area } from "../platform/http/operation.ts";
import type { AuthDeps, AuthExtra } from "./context.ts";
import { authErrorBody, authErrorSchema } from "./errors.ts";
import { addAccountRoutes } from "./accounts/routes.ts";
import { addBrowserRoutes } from "./sessions/browser-routes.ts";
import { addSessionRoutes } from "./sessions/routes.ts";
import { addTokenRoutes } from "./tokens/routes.ts";

export const authArea = (deps: AuthDeps): Area<AuthExtra> => ({
  name: "auth",
  prefix: "/api/auth",
  title: "Plinth tokens",
  version: "2.2.0",
  description: "Tokens that people and operators make for programs, service accounts, and who the caller is.",
  errorSchema: authErrorSchema,
  extra: { auth: deps },
  register(app) {
    addSessionRoutes(app);
    addBrowserRoutes(app);
    addTokenRoutes(app);
    addAccountRoutes(app);
  },
  toBody: authErrorBody,
});
