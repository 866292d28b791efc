/** One component of any kind. */
import type { Outcome } from "../../kit/protocol.ts";
import { refusalOf } from "../errors.ts";
import type { Declared } from "../descriptor/component.ts";
import { provisionOutputPort } from "./output-port.ts";
import { provisionStorage } from "./storage.ts";
import { refuse } from "./work.ts";
import type { Work } from "./work.ts";
import { provisionWorkload } from "./workload.ts";

/** An unforeseen refusal of PostgreSQL is reported as a problem of the component that caused it. */
export async function provision(work: Work, declared: Declared): Promise<Outcome> {
  try {
    if (declared.kind === "storage") return await provisionStorage(work, declared);
    if (declared.kind === "outputport") return await provisionOutputPort(work, declared);
    return await provisionWorkload(work, declared);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal) throw refuse(`${declared.pointer}/specific`, refusal.message, refusal.solution);
    throw error;
  }
}
