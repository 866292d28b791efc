/**
 * An adapter of collections: a component is a space, its subcomponents are views in that space. A view finds its space in
 * the `info` of its parent in the descriptor; access to a view or a space goes by the role that its own provisioning
 * answered, which comes back in `provisionInfo.result`.
 */
import {
  at,
  dependencyInfo,
  deploy,
  findInDescriptor,
  serveMiniature,
  textOr,
  requestedProblems,
  type Found,
  type Miniature,
  type Reply,
  type SeenCall,
} from "./server.ts";
import { isRecord } from "../../../src/platform/lib/is-record.ts";

const posts = new Set([
  "/v1/validate",
  "/v1/provision",
  "/v1/unprovision",
  "/v1/updateacl",
  "/v1/reverse-provisioning",
]);

export const startCollection = (): Promise<Miniature> =>
  serveMiniature("collection", (deployed) => (call) => {
    if (!posts.has(call.path)) return { status: 404, body: { errors: ["no such path"] } };
    if (call.method !== "POST") return { status: 405, body: { errors: ["no such method"] } };
    if (!isRecord(call.body)) return refusal("The body is no JSON object");
    if (call.path === "/v1/reverse-provisioning") return reverse(call, deployed);
    if (call.path === "/v1/updateacl") return updateAcl(call, deployed);
    return answer(call, deployed);
  });

const refusal = (...errors: string[]): Reply => ({ status: 400, body: { errors } });

const done = (result: string, info: unknown = null): Reply => ({
  status: 200,
  body: { status: "COMPLETED", result, info, logs: [] },
});

function find(kind: unknown, descriptor: unknown): Found | string {
  if (kind !== "COMPONENT_DESCRIPTOR") return "descriptorKind is not COMPONENT_DESCRIPTOR";
  if (typeof descriptor !== "string") return "descriptor is no text";
  try {
    return findInDescriptor(descriptor);
  } catch (error) {
    return (error as Error).message;
  }
}

function answer({ path, body }: SeenCall, deployed: Miniature["deployed"]): Reply {
  const found = find(at(body, "descriptorKind"), at(body, "descriptor"));
  const isGiven = typeof at(body, "removeData") === "boolean";
  const problems = [
    ...(isGiven ? [] : ["removeData is missing"]),
    ...(typeof found === "string" ? [found] : requestedProblems(found)),
  ];
  if (path === "/v1/validate")
    return { status: 200, body: { valid: problems.length === 0, error: { errors: problems } } };
  if (typeof found === "string" || problems.length > 0) return refusal(...problems);
  const space = spaceOf(found);
  if (space === undefined) return refusal(`${found.id} is a view, and nothing says in which space`);
  if (path === "/v1/unprovision") {
    if ([...deployed.keys()].some((id) => id.startsWith(`${found.id}:`)))
      return refusal("The space is not empty");
    deployed.delete(found.id);
    return done("gone");
  }
  deploy(deployed, found, space);
  const info = {
    publicInfo: { space: { type: "string", label: "Space", value: space } },
    privateInfo: { space, role: `role-${found.id}` },
  };
  return done("made", info);
}

/** The space of a component: that of its parent for a view, its own for a space. */
function spaceOf(found: Found): string | undefined {
  const { parent, component } = found;
  if (parent) {
    const space = at(parent["info"], "privateInfo", "space");
    return typeof space === "string" ? space : undefined;
  }
  const directory = at(dependencyInfo(found)?.info, "privateInfo", "directory");
  return `space-${String(component["name"])}-over-${textOr(directory, "nothing")}`;
}

function updateAcl({ body }: SeenCall, deployed: Miniature["deployed"]): Reply {
  const refs = at(body, "refs");
  if (!Array.isArray(refs)) return refusal("refs is no list");
  const found = find("COMPONENT_DESCRIPTOR", at(body, "provisionInfo", "request"));
  if (typeof found === "string") return refusal(found);
  const result: unknown = JSON.parse(String(at(body, "provisionInfo", "result")));
  const role = at(result, "info", "privateInfo", "role");
  const there = deployed.get(found.id);
  if (!there || role !== `role-${found.id}`) return refusal(`No role of ${found.id} in provisionInfo.result`);
  there.access = refs.map(String);
  return done("granted", { publicInfo: {}, privateInfo: {}, aclInfo: refs });
}

function reverse({ body }: SeenCall, deployed: Miniature["deployed"]): Reply {
  if (typeof at(body, "useCaseTemplateId") !== "string" || typeof at(body, "environment") !== "string")
    return refusal("useCaseTemplateId and environment are required");
  const updates = { "spec.mesh.specific.spaces": [...deployed.values()].map(({ place }) => place) };
  return { status: 200, body: { status: "COMPLETED", updates, logs: [] } };
}
