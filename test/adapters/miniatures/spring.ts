/**
 * An output port adapter in the shape of the public Java framework: Spring Boot, all work under tokens. It finds the
 * storage that it builds upon in the `info` of its dependency in the descriptor, also to unprovision, and its own place in
 * `provisionInfo.result` when access changes. What it cannot read becomes a 500 `{error}`, for every runtime exception does.
 */
import { randomUUID } from "node:crypto";
import {
  at,
  createTasks,
  dependencyInfo,
  deploy,
  findInDescriptor,
  serveMiniature,
  textOr,
  requestedProblems,
  type Found,
  type JsonObject,
  type Miniature,
  type Reply,
  type SeenCall,
} from "./server.ts";
import { isRecord } from "../../../src/platform/lib/is-record.ts";

const posts = new Set([
  "/v1/validate",
  "/v2/validate",
  "/v1/provision",
  "/v1/unprovision",
  "/v1/updateacl",
  "/v1/reverse-provisioning",
]);
const statusPath = /^\/(v1\/provision|v1\/reverse-provisioning|v2\/validate)\/([^/%]+)\/status$/;

export const startSpring = (): Promise<Miniature> =>
  serveMiniature("spring", (deployed) => {
    const tasks = createTasks(randomUUID);
    const accepted = (ended: JsonObject): Reply => ({ status: 202, body: tasks.start(ended) });
    return (call) => {
      const { method, path } = call;
      const [, , token = ""] = statusPath.exec(path) ?? [];
      if (method === "GET" && token !== "") {
        const logs = [
          { timestamp: "2026-01-31T12:00:00Z", level: "INFO", message: "work goes on", phase: null },
        ];
        const status = tasks.poll(token, { status: "RUNNING", result: "", logs });
        return status ? { status: 200, body: status } : refusal("The task does not exist", [token]);
      }
      const isOwn = posts.has(path) || /^\/v1\/provision\/[^/]+$/.test(path);
      if (!isOwn) return frameworkError(call, 404, "Not Found");
      if (method !== "POST" || !posts.has(path)) return frameworkError(call, 405, "Method Not Allowed");
      if (!isRecord(call.body)) return systemError("JSON parse error");
      return answer(call, { deployed, accepted });
    };
  });

interface Parts {
  deployed: Miniature["deployed"];
  accepted: (ended: JsonObject) => Reply;
}

function answer(call: SeenCall, { deployed, accepted }: Parts): Reply {
  const { path, body } = call;
  if (path === "/v1/reverse-provisioning") return reverse(call, { deployed, accepted });
  if (path === "/v1/updateacl") return updateAcl(call, { deployed, accepted });
  if (
    !text(body, "descriptorKind") ||
    !text(body, "descriptor") ||
    typeof at(body, "removeData") !== "boolean"
  )
    return frameworkError(call, 400, "Bad Request");
  if (at(body, "descriptorKind") !== "COMPONENT_DESCRIPTOR")
    return refusal("The descriptor kind is not supported", [String(at(body, "descriptorKind"))]);
  const found = findOr(at(body, "descriptor"));
  const problems = "problem" in found ? [found.problem] : requestedProblems(found);
  if (path.endsWith("/validate")) {
    const verdict = problems.length === 0 ? { valid: true, error: null } : invalid(problems);
    if (path === "/v1/validate") return { status: 200, body: verdict };
    return accepted({ status: "COMPLETED", info: { publicInfo: verdict } });
  }
  if ("problem" in found || problems.length > 0)
    return refusal("The component cannot be provisioned as it is described", problems);
  return carryOut(path, found, { deployed, accepted });
}

const invalid = (errors: string[]): JsonObject => ({
  valid: false,
  error: {
    errors,
    userMessage: "The descriptor is not valid",
    moreInfo: { problems: errors, solutions: ["Mend it"] },
  },
});

function carryOut(path: string, found: Found, { deployed, accepted }: Parts): Reply {
  const dependency = dependencyInfo(found);
  const bucket = at(dependency?.info, "privateInfo", "outputs", "bucket_name", "value");
  if (dependency && typeof bucket !== "string")
    return refusal("The storage is not known", [
      `Failed retrieving deploy info from component ${dependency.id}`,
    ]);
  if (path === "/v1/unprovision") {
    deployed.delete(found.id);
    return accepted({ status: "COMPLETED", result: "", info: null });
  }
  const place = `${textOr(bucket, "own")}/${String(found.component["name"])}`;
  deploy(deployed, found, place);
  const info = {
    publicInfo: { directory: { type: "string", label: "Directory", value: place } },
    privateInfo: { directory: place },
  };
  return accepted({ status: "COMPLETED", result: "The directory was created", info });
}

/** Its own place is in the result of the provisioning, and nowhere else. */
function updateAcl(call: SeenCall, { deployed, accepted }: Parts): Reply {
  const { body } = call;
  const refs = at(body, "refs");
  if (!Array.isArray(refs)) return systemError("JSON parse error: Cannot deserialize value of type `List`");
  const found = findOr(at(body, "provisionInfo", "request"));
  const directory = at(parse(at(body, "provisionInfo", "result")), "info", "privateInfo", "directory");
  if ("problem" in found) return refusal("The descriptor cannot be read", [found.problem]);
  const there = deployed.get(found.id);
  if (typeof directory !== "string" || there?.place !== directory)
    return refusal("The directory is not known", ["provisionInfo.result has no directory of this component"]);
  there.access = refs.map(String);
  return accepted({ status: "COMPLETED", result: "", info: null });
}

function reverse(call: SeenCall, { deployed, accepted }: Parts): Reply {
  if (!text(call.body, "useCaseTemplateId") || !text(call.body, "environment"))
    return frameworkError(call, 400, "Bad Request");
  const directories = [...deployed.values()].map(({ place }) => place);
  return accepted({
    status: "COMPLETED",
    updates: { "spec.mesh.specific.directories": directories },
    logs: [],
  });
}

const text = (body: unknown, field: string): boolean => typeof at(body, field) === "string";

function findOr(descriptor: unknown): Found | { problem: string } {
  try {
    return findInDescriptor(descriptor);
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

function parse(value: unknown): unknown {
  try {
    return JSON.parse(String(value));
  } catch {
    return undefined;
  }
}

const refusal = (userMessage: string, problems: string[]): Reply => ({
  status: 400,
  body: {
    errors: problems,
    userMessage,
    input: null,
    inputErrorField: null,
    moreInfo: { problems, solutions: ["Mend the descriptor, or ask the platform team for help"] },
  },
});

const systemError = (why: string): Reply => ({
  status: 500,
  body: { error: `An unexpected error occurred while processing the request. Details: ${why}` },
});

const frameworkError = ({ path }: SeenCall, status: number, error: string): Reply => ({
  status,
  body: { timestamp: "2026-01-31T12:00:00.000+00:00", status, error, path },
});
