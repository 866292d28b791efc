/**
 * Pure. What tells one kind of task from another, in one place. Everything else of a task's life (intent before the
 * call, outcome after it, repeats under one key, deadlines, crashes) is the same for all of them.
 */
import type { AdapterOperation } from "../../adapter-protocol/answers.ts";
import type { ComponentStatus, LastOperation, TaskAction } from "../record/types.ts";

export interface TaskKind {
  /** An operation of the adapter protocol, its validation, or the call of an external service. */
  call: "validation" | "service" | AdapterOperation;
  /**
   * What the body is made of: the unit alone, the unit with what the adapters have returned, that as a notice for
   * others, or the text that was stored with the task.
   */
  body: "unit" | "enriched" | "notice" | "stored";
  /** What the success of the task makes of its component; null where its row is not touched. */
  becomes: ComponentStatus | null;
  /** How adapters are told of it, as the component's last operation. */
  operation: LastOperation["operation"];
  /** Its success is a change of who has access. */
  changesAccess: boolean;
  /** Whether the protocol has a way to stop the work once it is accepted. */
  canBeStopped: boolean;
  /** Phase of its log lines. */
  phase: string;
  /** Goes before the name of the component in a sentence, and in the name of a task. */
  noun: string;
  verb: string;
}

const plain = { becomes: null, operation: "Deploy", changesAccess: false, canBeStopped: false } as const;

export const taskKinds: Readonly<Record<TaskAction, TaskKind>> = {
  VALIDATE_COMPONENT: {
    ...plain,
    call: "validation",
    body: "unit",
    phase: "VALIDATION",
    noun: "Validation of",
    verb: "Validate",
  },
  PROVISION: {
    ...plain,
    call: "provision",
    body: "enriched",
    becomes: "DEPLOYED",
    canBeStopped: true,
    phase: "PROVISIONING",
    noun: "Provisioning of",
    verb: "Provision",
  },
  UNPROVISION: {
    call: "unprovision",
    body: "enriched",
    becomes: "NOT_DEPLOYED",
    operation: "Undeploy",
    // What is gone is open to nobody any more.
    changesAccess: true,
    canBeStopped: true,
    phase: "UNPROVISIONING",
    noun: "Unprovisioning of",
    verb: "Unprovision",
  },
  UPDATE_ACL: {
    ...plain,
    call: "updateacl",
    body: "stored",
    changesAccess: true,
    canBeStopped: true,
    phase: "ACCESS",
    noun: "Change of access to",
    verb: "Change access to",
  },
  REVERSE_PROVISION: {
    ...plain,
    call: "reverse-provisioning",
    body: "stored",
    phase: "REVERSE_PROVISIONING",
    noun: "Reverse provisioning of",
    verb: "Reverse provision",
  },
  PUBLISH: {
    ...plain,
    call: "service",
    body: "notice",
    phase: "PUBLICATION",
    noun: "Publication at",
    verb: "Publish at",
  },
  UNPUBLISH: {
    ...plain,
    call: "service",
    body: "notice",
    operation: "Undeploy",
    phase: "PUBLICATION",
    noun: "Withdrawal from",
    verb: "Unpublish at",
  },
};
