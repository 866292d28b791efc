/**
 * A storage adapter in the shape of the public Python scaffold: FastAPI over models that are made from the OpenAPI of the
 * protocol. Everything is answered at once; the models refuse with 422 `{detail[]}` before the adapter is asked; what
 * nobody has written is a 500 that says so.
 */
import {
  at,
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

type Field = [name: string, type: string, fits: (value: unknown) => boolean];

const text = (value: unknown): boolean => typeof value === "string";
const kinds = new Set([
  "DATAPRODUCT_DESCRIPTOR",
  "COMPONENT_DESCRIPTOR",
  "DATAPRODUCT_DESCRIPTOR_WITH_RESULTS",
]);
const provisioningRequest: Field[] = [
  ["descriptorKind", "enum", (value) => kinds.has(String(value))],
  ["descriptor", "string_type", text],
  ["removeData", "bool_type", (value) => typeof value === "boolean"],
];
const updateAclRequest: Field[] = [
  ["refs", "list_type", (value) => Array.isArray(value) && value.every(text)],
  ["provisionInfo", "model_type", (value) => text(at(value, "request")) && text(at(value, "result"))],
];

const posts: Record<string, Field[]> = {
  "/v1/validate": provisioningRequest,
  "/v2/validate": provisioningRequest,
  "/v1/provision": provisioningRequest,
  "/v1/unprovision": provisioningRequest,
  "/v1/updateacl": updateAclRequest,
};
const gets = /^\/v1\/provision\/[^/%]+\/status$|^\/v2\/validate\/[^/%]+\/status$/;
const notImplemented: Reply = { status: 500, body: { error: "Response not yet implemented" } };

export const startFastapi = (): Promise<Miniature> =>
  serveMiniature("fastapi", (deployed) => (call) => {
    const fields = posts[call.path];
    if (fields === undefined) {
      if (call.method === "GET" && gets.test(call.path)) return notImplemented;
      return { status: 404, body: { detail: "Not Found" } };
    }
    if (call.method !== "POST") return { status: 405, body: { detail: "Method Not Allowed" } };
    const detail = modelErrors(call, fields);
    if (detail.length > 0) return { status: 422, body: { detail } };
    if (call.path === "/v2/validate") return notImplemented;
    return answer(deployed, call);
  });

function modelErrors({ text: sent, body }: SeenCall, fields: Field[]): object[] {
  if (sent === "") return [{ type: "missing", loc: ["body"], msg: "Field required", input: null }];
  if (body === undefined)
    return [{ type: "json_invalid", loc: ["body", 0], msg: "JSON decode error", input: {} }];
  if (!isRecord(body))
    return [
      {
        type: "model_attributes_type",
        loc: ["body"],
        msg: "Input should be a valid dictionary",
        input: body,
      },
    ];
  return fields.flatMap(([name, type, fits]) => {
    if (fits(body[name])) return [];
    const [kind, msg] =
      name in body ? [type, "Input is not of the right type"] : ["missing", "Field required"];
    return [{ type: kind, loc: ["body", name], msg, input: body[name] ?? null }];
  });
}

function answer(deployed: Miniature["deployed"], { path, body }: SeenCall): Reply {
  const isAcl = path === "/v1/updateacl";
  const found = unpack(isAcl ? at(body, "provisionInfo", "request") : at(body, "descriptor"), body);
  if (path === "/v1/validate") {
    const errors = Array.isArray(found) ? found : requestedProblems(found);
    return {
      status: 200,
      body: { valid: errors.length === 0, error: errors.length === 0 ? null : { errors } },
    };
  }
  if (Array.isArray(found)) return { status: 400, body: { errors: found } };
  return isAcl ? grant(deployed, found, at(body, "refs") as string[]) : carryOut(deployed, found, path);
}

/** The component, or why the descriptor cannot be used. */
function unpack(descriptor: unknown, body: unknown): Found | string[] {
  const kind = at(body, "descriptorKind");
  if (kind !== undefined && kind !== "COMPONENT_DESCRIPTOR")
    return [`Expecting a COMPONENT_DESCRIPTOR but got a ${textOr(kind, "value of another type")} instead`];
  try {
    return findInDescriptor(descriptor);
  } catch (error) {
    return ["Unable to parse the descriptor.", (error as Error).message];
  }
}

function carryOut(deployed: Miniature["deployed"], found: Found, path: string): Reply {
  const problems = requestedProblems(found);
  if (problems.length > 0) return { status: 400, body: { errors: problems } };
  const bucket = `bucket-${String(found.component["name"])}`;
  if (path === "/v1/unprovision") {
    deployed.delete(found.id);
    return { status: 200, body: { status: "COMPLETED", result: "", info: null, logs: null } };
  }
  deploy(deployed, found, bucket);
  const info = {
    publicInfo: { bucket: { type: "string", label: "Bucket", value: bucket } },
    privateInfo: { outputs: { bucket_name: { value: bucket } } },
  };
  return { status: 200, body: { status: "COMPLETED", result: "", info, logs: null } };
}

function grant(deployed: Miniature["deployed"], { id }: Found, refs: string[]): Reply {
  const there = deployed.get(id);
  if (!there) return { status: 400, body: { errors: [`${id} is not there`] } };
  there.access = refs;
  return { status: 200, body: { status: "COMPLETED", result: "", info: null, logs: null } };
}
