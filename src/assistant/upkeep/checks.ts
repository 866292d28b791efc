/** The checks of the assistant: its model, its embedder with the search, and runs that wait. */
import type { Db } from "../../platform/db/database.ts";
import {
  ageOf,
  counted,
  databaseCheck,
  ok,
  warning,
  type Check,
  type Finding,
} from "../../platform/lib/check.ts";
import { readIndexState, type IndexState } from "../retrieval/store.ts";
import { readRunNumbers, type RunNumbers } from "../runs/work-store.ts";
import { readModelRow, type ModelRow } from "../models/store.ts";

export const assistantChecks = (db: Db): Check[] => [
  {
    name: "model",
    guide: "assistant-operate.md#when-the-model-does-not-answer",
    needs: databaseCheck,
    look: async () => modelFinding(await readModelRow(db, "llm"), "model"),
  },
  {
    name: "search",
    guide: "assistant-operate.md#search",
    needs: databaseCheck,
    look: async () => searchFinding(await readModelRow(db, "embedder"), await readIndexState(db)),
  },
  {
    name: "assistant runs",
    guide: "monitoring.md#plinthrunswait",
    needs: databaseCheck,
    look: async () => runsFinding(await readRunNumbers(db)),
  },
];

/** What the call at the last save has found; its message may have what the provider says, so only its reason is told. */
export function modelFinding(
  row: Pick<ModelRow, "provider" | "probe"> | null,
  what: "model" | "embedder",
): Finding {
  if (row === null || row.provider === "")
    return ok(
      what === "model"
        ? "None is configured, so the assistant answers nothing."
        : "No embedder is configured: the search goes by words.",
    );
  const { probe } = row;
  if (probe?.outcome === "failed")
    return warning(
      `The ${what} did not answer when it was saved (${probe.reason}).`,
      "Correct its address, key or name, and save it again; the answer to that says what the provider said.",
    );
  return ok(
    probe?.outcome === "ok"
      ? `The ${what} answered when it was saved.`
      : `The ${what} has not been tried since it was saved.`,
  );
}

export function searchFinding(
  embedder: Pick<ModelRow, "provider" | "probe"> | null,
  index: IndexState,
): Finding {
  const { error, documents, waiting, retryAt } = index;
  if (error !== null)
    return warning(
      `The index of the search is not up to date: its last update failed${retryAt === null ? "" : ", and it is tried again"}.`,
      "Read the log of workers for the reason; mostly the embedder. Words are found all the same.",
    );
  const ofEmbedder = modelFinding(embedder, "embedder");
  if (ofEmbedder.outcome !== "ok") return ofEmbedder;
  return ok(
    `${counted(documents, "passage")}${waiting > 0 ? `, of which ${waiting} wait for a vector` : ""}. ${ofEmbedder.found}`,
  );
}

const waitSeconds = 300;

function runsFinding(numbers: readonly RunNumbers[]): Finding {
  const queued = numbers.find(({ status }) => status === "queued");
  if (queued === undefined || queued.count === 0) return ok("None waits for a worker.");
  const found = `Runs that wait for a worker: ${queued.count}, the oldest for ${ageOf(queued.oldestSeconds)}.`;
  return queued.oldestSeconds < waitSeconds
    ? ok(found)
    : warning(found, "Look whether workers are alive and whether the model answers; start one more.");
}
