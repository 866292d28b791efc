import type { FastifyRequest } from "fastify";
import type { Problem } from "../../platform/errors/failure.ts";
import { parseJson } from "../../platform/http/input/json.ts";
import { route, type AreaApp } from "../../platform/http/operation.ts";
import { builderFailure } from "../errors.ts";
import type { TechAdapterRegistration } from "../ports.ts";
import {
  checkRegistration,
  registerTechAdapter,
  problemText,
  type TechAdapterDeps,
} from "./adapter-service.ts";
import { registrationAnswer, registrationBody } from "./adapter-schema.ts";

const path = "/register";

/** Adds `POST /register`. */
export const addTechAdapterRoutes = (app: AreaApp, deps: TechAdapterDeps): void => {
  route(app, {
    id: "registerTechAdapter",
    method: "POST",
    path,
    summary: "Register a tech adapter",
    description:
      "Links an infrastructure template identifier to the address of its tech adapter in one environment. Repeating " +
      "it updates. The header x-plinth-reachable says whether something answered at the address.",
    tags: ["Tech adapters"],
    rule: "registerTechAdapter",
    body: registrationBody(deps.environments),
    response: { 200: registrationAnswer },
    async handler(ctx, { body, reply }) {
      const { reachable } = await registerTechAdapter(ctx, withAllProperties(body), deps);
      reply.header("x-plinth-reachable", reachable);
      return "OK";
    },
  });
  // Schema validation runs first, and a body that it refuses never reaches the handler. This hook adds the
  // problems that only the service finds, so that one response lists both.
  const url = app.area.prefix + path;
  app.fastify.addHook("preHandler", (request, _reply, done) => {
    const problems =
      request.routeOptions.url === url && request.method === "POST" ? findAll(request, deps) : [];
    if (problems.length === 0) return done();
    done(builderFailure("BUILDER_INVALID_ADAPTER", { message: problemText(problems), problems }));
  });
};

/**
 * Clients name the properties of a template differently; under the other names the schema accepts only
 * objects.
 */
const withAllProperties = ({ properties, ...given }: TechAdapterRegistration): TechAdapterRegistration => {
  const others = Object.entries(given).filter(([, value]) => typeof value === "object");
  for (const [name] of others) Reflect.deleteProperty(given, name);
  return { ...given, properties: Object.assign({}, ...others.map(([, value]) => value), properties) };
};

/**
 * The problems of schema and service together; none unless the schema found some and the body is an object.
 */
const findAll = (request: FastifyRequest, deps: TechAdapterDeps): Problem[] => {
  const found = request.routeOptions.config.read?.(request).problems ?? [];
  if (found.length === 0 || !Buffer.isBuffer(request.body)) return [];
  const { value } = parseJson(request.body);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const seen = new Set(found.map((problem) => problem.where));
  return [...found, ...checkRegistration({ ...value }, deps).filter((problem) => !seen.has(problem.where))];
};
