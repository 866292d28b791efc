/** Leads each client through its steps, one after the other, with a time limit for each. */
import { stepNames, type ClientKind, type StepName } from "./client-kind.ts";
import { waitLimitMs } from "../support/eventually.ts";
import { a2a, mcpClients } from "./protocols.ts";
import { openaiClients } from "./openai-clients.ts";
import { agUi, useChat } from "./streams.ts";
import type { World } from "./world.ts";

export const clientKinds: readonly ClientKind[] = [...mcpClients, ...openaiClients, useChat, agUi, a2a];

export interface Outcome {
  client: string;
  step: StepName;
  /** `-` where the protocol has no such step. */
  result: "ok" | "failed" | "-";
  ms: number;
  why: string;
}

export async function runStep(world: World, kind: ClientKind, step: StepName): Promise<Outcome> {
  const about = { client: kind.name, step };
  const work = kind.steps[step];
  if (typeof work === "string") return { ...about, result: "-", ms: 0, why: work };
  const began = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`Nothing came within ${waitLimitMs} ms.`)), waitLimitMs);
  });
  const failed = await Promise.race([work(world), late]).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  clearTimeout(timer);
  const ms = Math.round(performance.now() - began);
  return { ...about, result: failed === null ? "ok" : "failed", ms, why: failed ?? "" };
}

/** A table: a line for each client, a column for each step. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const cell = ({ result, ms }: Outcome): string => (result === "ok" ? `ok ${ms} ms` : result);
  const rows = clientKinds.map(({ name }) => [
    name,
    ...stepNames.map((step) => {
      const found = outcomes.find((each) => each.client === name && each.step === step);
      return found === undefined ? "" : cell(found);
    }),
  ]);
  return [["client", ...stepNames], ...rows]
    .map((row) => row.map((text, index) => text.padEnd(index === 0 ? 28 : 13)).join(""))
    .join("\n");
}
