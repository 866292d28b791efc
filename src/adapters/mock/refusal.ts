/** The bodies that the mock refuses, as an adapter should: those that name no component of theirs. */
import { answerOf } from "../kit/answers.ts";
import { readAclCall, readProvisionCall, readReverseCall, readValidateCall } from "../kit/requests.ts";
import type { Operation } from "./behaviour.ts";
import type { Reply } from "./reply.ts";
import { json } from "./reply.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

/** Larger bodies are only scanned, because the mock is used in benchmarks with whole units. */
const readBytes = 64 * 1024;

const readers: Record<Operation, (body: unknown) => unknown> = {
  provision: readProvisionCall,
  unprovision: readProvisionCall,
  validate: readValidateCall,
  updateacl: readAclCall,
  "reverse-provisioning": readReverseCall,
};

/** @param componentId as it was found in the bytes; null when they name none. Null when all is well. */
export function refusalOf(body: Buffer, operation: Operation, componentId: string | null): Reply | null {
  if (body.length > readBytes && componentId !== null) return null;
  let value: unknown;
  try {
    value = JSON.parse(body.toString("utf8"));
  } catch {
    return json(400, { errors: ["The body is not JSON."] });
  }
  if (isRecord(value) && isPlain(value, componentId)) return null;
  try {
    readers[operation](value);
    return null;
  } catch (error) {
    const { status, body: answer } = answerOf(error);
    return json(status, answer);
  }
}

/** Recognises nearly all valid bodies without parsing their YAML: the id occurs outside of its own line. */
function isPlain(value: Record<string, unknown>, componentId: string | null): boolean {
  const { descriptorKind, descriptor, removeData } = value;
  if (descriptorKind !== "COMPONENT_DESCRIPTOR" || typeof descriptor !== "string") return false;
  if (componentId === null || typeof (removeData ?? false) !== "boolean") return false;
  const first = descriptor.indexOf(componentId);
  return first >= 0 && descriptor.includes(componentId, first + 1);
}
