/** From request bodies to the calls that handlers get. Every problem of a body is reported at once. */
import type { Problem } from "../../platform/errors/failure.ts";
import { invalid, parseDocument, readDescriptor, readLatest, selectComponent } from "./descriptor.ts";
import { kitLimits } from "./limits.ts";
import type { AclCall, DescriptorCall, JsonObject, ProvisionCall, ReverseCall } from "./protocol.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

function bodyOf(body: unknown): JsonObject {
  if (isRecord(body)) return body;
  throw invalid("The request body is not a JSON object.", [{ where: "", message: "must be a JSON object" }]);
}

export function readValidateCall(raw: unknown): DescriptorCall {
  const body = bodyOf(raw);
  return readDescriptor(body["descriptorKind"], body["descriptor"]);
}

export function readProvisionCall(raw: unknown): ProvisionCall {
  const body = bodyOf(raw);
  const removeData = body["removeData"] ?? false;
  if (typeof removeData !== "boolean") {
    throw invalid("The request is not one of the adapter protocol.", [
      { where: "/removeData", message: "must be true or false" },
    ]);
  }
  const call = readDescriptor(body["descriptorKind"], body["descriptor"]);
  return { ...call, latest: readLatest(body["latestEnrichedDescriptor"]), removeData };
}

export function readAclCall(raw: unknown): AclCall {
  const body = bodyOf(raw);
  const problems: Problem[] = [];
  const refs = readRefs(body["refs"], problems);
  const provisionInfo = isRecord(body["provisionInfo"]) ? body["provisionInfo"] : {};
  const request = provisionInfo["request"];
  if (typeof request !== "string" || request.trim() === "") {
    problems.push({ where: "/provisionInfo/request", message: "must be the descriptor as text" });
  } else if (problems.length === 0) {
    const document = parseDocument(request, "/provisionInfo/request");
    const call = selectComponent("COMPONENT_DESCRIPTOR", document);
    return { ...call, refs, provisionResult: provisionInfo["result"] };
  }
  throw invalid("The access request cannot be carried out.", problems);
}

/** @returns the references without repetitions. */
function readRefs(refs: unknown, problems: Problem[]): string[] {
  if (!Array.isArray(refs)) problems.push({ where: "/refs", message: "must be a list of references" });
  else if (refs.length > kitLimits.refs) {
    problems.push({ where: "/refs", message: `has more than ${kitLimits.refs} entries` });
  } else {
    problems.push(...refs.flatMap(refProblem));
    return [...new Set(refs.filter((ref) => typeof ref === "string"))];
  }
  return [];
}

function refProblem(ref: unknown, index: number): Problem[] {
  const where = `/refs/${index}`;
  if (typeof ref !== "string") return [{ where, message: "must be text" }];
  const solution = "Use user:<name> or group:<name>, as in the catalogue.";
  if (ref.length > kitLimits.refChars) return [{ where, message: "is too long", solution }];
  if (!/^(user|group):\S+$/i.test(ref))
    return [{ where, message: "is no user or group reference", solution }];
  return [];
}

export function readReverseCall(raw: unknown): ReverseCall {
  const { useCaseTemplateId, environment, params, catalogInfo } = bodyOf(raw);
  const problems: Problem[] = [];
  const text = (value: unknown, where: string): string => {
    if (typeof value === "string" && value !== "") return value;
    problems.push({ where, message: "must be non-empty text" });
    return "";
  };
  const call = {
    useCaseTemplateId: text(useCaseTemplateId, "/useCaseTemplateId"),
    environment: text(environment, "/environment"),
    params: isRecord(params) ? params : {},
    catalogInfo: isRecord(catalogInfo) ? catalogInfo : undefined,
  };
  if (params !== undefined && params !== null && !isRecord(params)) {
    problems.push({ where: "/params", message: "must be an object" });
  }
  if (problems.length > 0) throw invalid("The reverse provisioning request cannot be carried out.", problems);
  return call;
}
