/** Which bodies the mock refuses, as an adapter should: those that name no component that they hold. */
import { answerOf } from "../kit/answers.ts";
import { readAclCall, readProvisionCall, readReverseCall, readValidateCall } from "../kit/requests.ts";
import type { Operation } from "./behaviour.ts";
import type { Reply } from "./reply.ts";
import { json } from "./reply.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

/** Larger bodies are only scanned: the mock stands behind measurements of whole units. */
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

/** What nearly all bodies are, told without reading their YAML: the id stands somewhere beside its own line. */
function isPlain(value: Record<string, unknown>, componentId: string | null): boolean {
  const { descriptorKind, descriptor, removeData } = value;
  if (descriptorKind !== "COMPONENT_DESCRIPTOR" || typeof descriptor !== "string") return false;
  if (componentId === null || typeof (removeData ?? false) !== "boolean") return false;
  const first = descriptor.indexOf(componentId);
  return first >= 0 && descriptor.includes(componentId, first + 1);
}
