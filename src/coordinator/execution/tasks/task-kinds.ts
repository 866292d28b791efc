/**
 * Pure. The table of task kinds, with all that differs between them. Everything else (intent before the call,
 * outcome after it, retries under one key, deadlines, crashes) is the same for all tasks.
 */
import type { AdapterOperation } from "../../adapters/protocol/answers.ts";
import type { ComponentStatus, LastOperation, TaskAction } from "../types.ts";

export interface TaskKind {
  /**
   * An operation of the adapter protocol, its validation, the call of an external service, or an evaluation of
   * policies, which calls none of them.
   */
  call: "validation" | "service" | "policies" | AdapterOperation;
  /**
   * Content of the body: the unit, the unit with the adapters' infos, that as a notice, or text stored with
   * the task.
   */
  body: "unit" | "enriched" | "notice" | "stored";
  /** Status of the component after success; null when the task does not change it. */
  becomes: ComponentStatus | null;
  /** The component's last operation, as adapters see it. */
  operation: LastOperation["operation"];
  /** Success changes who has access. */
  changesAccess: boolean;
  /** Whether the protocol can stop accepted work. */
  canBeStopped: boolean;
  /** Phase of its log lines. */
  phase: string;
  /** Precede the name of the component: the noun in messages, the verb in the task's name. */
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
  POLICY_VALIDATE_COMPONENT: {
    ...plain,
    call: "policies",
    body: "unit",
    phase: "POLICIES",
    noun: "Policies of",
    verb: "Check policies of",
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
    // Access to an undeployed component is deleted.
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
