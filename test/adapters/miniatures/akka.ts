/**
 * A workload adapter in the shape of the public Scala ones: tokens as plain text, bodies that do not decode refused in the
 * words of the framework, and every optional operation answered with 501, or with a 500 that says that nothing is there.
 */
import { randomBytes } from "node:crypto";
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

const plain = (status: number, body: string): Reply => ({ status, body, type: "text/plain; charset=UTF-8" });
const statusPath = /^\/v1\/provision\/([^/%]+)\/status$/;
const optional = new Set(["/v2/validate", "/v1/reverse-provisioning"]);
const own = new Set(["/v1/validate", "/v1/provision", "/v1/unprovision", "/v1/updateacl", ...optional]);

export const startAkka = (): Promise<Miniature> =>
  serveMiniature("akka", (deployed) => {
    const tasks = createTasks(() => randomBytes(12).toString("hex"));
    return (call) => {
      const { method, path } = call;
      const [, token = ""] = statusPath.exec(path) ?? [];
      if (method === "GET" && token !== "") {
        const status = tasks.poll(token, { status: "RUNNING", result: "" });
        return status ? { status: 200, body: status } : refusal([`Token ${token} not found`]);
      }
      if (!own.has(path)) return plain(404, "The requested resource could not be found.");
      if (method !== "POST") return plain(405, "HTTP method not allowed, supported methods: POST");
      if (optional.has(path)) return plain(501, "The server does not support this operation");
      const problem = undecodable(call);
      if (problem !== undefined) return plain(400, `The request content was malformed:\n${problem}`);
      if (path === "/v1/updateacl") return notImplemented;
      return answer(call, deployed, (ended) => plain(202, tasks.start(ended)));
    };
  });

const notImplemented: Reply = {
  status: 500,
  body: {
    error: "Endpoint not implemented",
    userMessage: "The requested feature hasn't been implemented",
    moreInfo: { problems: ["Endpoint not implemented"], solutions: [] },
  },
};

const refusal = (errors: string[]): Reply => ({ status: 400, body: { errors } });

function undecodable({ path, body }: SeenCall): string | undefined {
  if (!isRecord(body)) return "expected json value got end of input";
  const fields =
    path === "/v1/updateacl" ? ["refs", "provisionInfo"] : ["descriptorKind", "descriptor", "removeData"];
  const wrong = fields.find((name) => body[name] === undefined);
  if (wrong !== undefined) return `Missing required field: DownField(${wrong})`;
  if (path === "/v1/updateacl")
    return Array.isArray(body["refs"]) ? undefined : "Got value of wrong type: DownField(refs)";
  return typeof body["descriptor"] === "string"
    ? undefined
    : "Got value of wrong type: DownField(descriptor)";
}

function answer(
  call: SeenCall,
  deployed: Miniature["deployed"],
  accepted: (ended: JsonObject) => Reply,
): Reply {
  const { path, body } = call;
  const found = find(body);
  const problems = Array.isArray(found) ? found : requestedProblems(found);
  if (path === "/v1/validate") {
    const error = problems.length === 0 ? {} : { error: { errors: problems } };
    return { status: 200, body: { valid: problems.length === 0, ...error } };
  }
  if (Array.isArray(found) || problems.length > 0) return refusal(problems);
  if (path === "/v1/unprovision") {
    deployed.delete(found.id);
    return accepted({ status: "COMPLETED", result: "Unprovisioning completed" });
  }
  const dependency = dependencyInfo(found);
  const bucket = at(dependency?.info, "publicInfo", "bucket", "value");
  if (dependency && typeof bucket !== "string")
    return refusal([`No info of ${dependency.id} in the descriptor`]);
  deploy(deployed, found, textOr(bucket, "nowhere"));
  const info = {
    publicInfo: { reads: { type: "string", label: "Reads", value: bucket ?? "" } },
    privateInfo: {},
  };
  return accepted({ status: "COMPLETED", result: "Provisioning completed", info });
}

function find(body: unknown): Found | string[] {
  if (at(body, "descriptorKind") !== "COMPONENT_DESCRIPTOR") return ["Descriptor kind not supported"];
  try {
    return findInDescriptor(at(body, "descriptor"));
  } catch (error) {
    return [(error as Error).message];
  }
}
