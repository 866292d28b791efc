/** What a conformance check is and what it finds. The checks themselves are the tables in checks/. */
import type { Deviation } from "./deviation.ts";
import type { Session } from "./session.ts";

/** The groups of checks, in the order in which they run and are shown. */
export const groups = {
  validation: "Validation",
  authorization: "Authorization",
  provisioning: "Provisioning",
  idempotency: "Idempotency",
  access: "Access",
  reverse: "Reverse provisioning",
  input: "Odd input",
  termination: "Termination",
  unprovisioning: "Unprovisioning",
  answers: "Answers as a whole",
} as const;

export type Group = keyof typeof groups;

export type Finding = { skipped: string } | { deviations: Deviation[]; note?: string };

export interface Check {
  /** `<group>.<name>`; stable, so that `--only` and reports can name it. */
  id: string;
  group: Group;
  title: string;
  /** Whether it may change something at the adapter. */
  changes: boolean;
  run(session: Session): Promise<Finding>;
}

export const skip = (why: string): Finding => ({ skipped: why });
