/** The configurations of the chat model and of the embedder. */
import { inTransaction } from "../../platform/db/database.ts";
import type { InputProblem } from "../../platform/http/operation.ts";
import { newId } from "../../platform/lib/ids.ts";
import { writeAudit, type AssistantContext } from "../context.ts";
import { endpointProblems, bodyProblem, refuseProblems } from "../body-problems.ts";
import { mask } from "../masked-values.ts";
import {
  masked,
  printCustomHeader,
  readCustomHeader,
  unmasked,
  type CustomHeader,
  isSameDestination,
  type ModelKind,
} from "./providers.ts";
import { probeModel, withoutVectors } from "./probe.ts";
import { aboutHeader, aboutKey, openHeader, openKey, openModel } from "./read-model.ts";
import type { EmbedderWithProbe, ModelAnswer, ModelBody, ModelWithProbe, ProbeResult } from "./schema.ts";
import {
  lockModelRow,
  readAgreement,
  readModelRow,
  upsertModel,
  writeProbe,
  type ModelRow,
} from "./store.ts";

export interface Saved {
  config: ModelAnswer;
  probe: ProbeResult;
}

/**
 * Saves a model whatever its probe finds: one that can't be reached must not lose what the user has typed. Only an embedder that
 * answers without a vector is refused: search would have no meaning to compare for good.
 */
export async function saveModel(ctx: AssistantContext, kind: ModelKind, body: ModelBody): Promise<Saved> {
  const header = readCustomHeader(body.custom_header ?? "");
  const endpoint = (body.endpoint ?? "").trim();
  const problems: InputProblem[] = endpoint === "" ? [] : modelEndpointProblems(ctx, endpoint);
  if (typeof header === "string") problems.push(bodyProblem(["custom_header"], header, mask));
  refuseProblems(problems);
  const version = newId();
  const saving = { body, endpoint, header: header as CustomHeader, version };
  // An embedder is asked first, because it may be refused.
  const first =
    kind === "embedder"
      ? await probeRow(ctx, kind, await store(ctx, kind, { ...saving, isTrial: true }))
      : null;
  if (first?.reason === withoutVectors)
    refuseProblems([bodyProblem(["model"], first.message, body.model ?? body.deployment)]);
  const row = await store(ctx, kind, saving);
  const probe = first ?? (await probeRow(ctx, kind, row));
  await writeProbe(ctx.assistant.database.db, { kind, version }, probe);
  return { config: modelView(ctx, kind, row), probe };
}

async function probeRow(ctx: AssistantContext, kind: ModelKind, row: ModelRow): Promise<ProbeResult> {
  const model = openModel(ctx.assistant.secrets, kind, row);
  return model
    ? probeModel(ctx, kind, model)
    : skipped("No provider is named, so no model is configured.", ctx.now());
}

interface Saving {
  /** Only the row is made, and nothing is stored. */
  isTrial?: boolean;
  body: ModelBody;
  endpoint: string;
  header: CustomHeader;
  version: string;
}

async function store(
  ctx: AssistantContext,
  kind: ModelKind,
  { body, endpoint, header, version, isTrial = false }: Saving,
): Promise<ModelRow> {
  const { secrets, database } = ctx.assistant;
  const seal = (text: string, about: string): Buffer => secrets.seal(Buffer.from(text), about);
  return inTransaction(database, async (tx) => {
    const before = await lockModelRow(tx, kind);
    const place = { provider: body.provider ?? "", endpoint, deployment: body.deployment ?? "" };
    const keepsStoredKey = (body.api_key ?? mask) === mask;
    const mustGiveAgain = before !== null && !isSameDestination(before, place);
    const headers = completeHeaders(ctx, kind, { before, mustGiveAgain, header });
    const problems: InputProblem[] = [];
    if (keepsStoredKey && mustGiveAgain && before.sealedApiKey !== null)
      problems.push(giveAgain(["api_key"]));
    if (Array.isArray(headers)) problems.push(...headers);
    refuseProblems(problems);
    const storedKey = keepsStoredKey && before !== null ? openKey(secrets, kind, before) : "";
    const apiKey = keepsStoredKey ? storedKey : (body.api_key ?? "").trim();
    const complete = headers as CustomHeader;
    const row: ModelRow = {
      ...place,
      sealedApiKey: apiKey === "" ? null : seal(apiKey, aboutKey(kind)),
      apiVersion: body.api_version ?? "",
      model: body.model ?? "",
      sealedCustomHeader:
        complete.headers.length === 0 ? null : seal(JSON.stringify(complete), aboutHeader(kind)),
      probe: null,
      version,
    };
    if (isTrial) return row;
    await upsertModel(tx, { ...row, kind, by: ctx.actor.ref, at: ctx.now() });
    const { provider, model } = row;
    const detail = { provider, endpoint, model, keyChanged: !keepsStoredKey };
    await writeAudit(tx, ctx, { operation: "setModel", subject: `model:${kind}`, detail });
    return row;
  });
}

const giveAgain = (path: string[]): InputProblem =>
  bodyProblem(
    path,
    "must be given again: what is stored was given for another provider, endpoint or deployment. An empty text removes it",
    mask,
  );

interface HeaderSources {
  before: ModelRow | null;
  /** Stored secrets are never sent to another destination. */
  mustGiveAgain: boolean;
  header: CustomHeader;
}

/** The headers with stored values in the place of masks, or the problems. */
function completeHeaders(
  ctx: AssistantContext,
  kind: ModelKind,
  { before, mustGiveAgain, header }: HeaderSources,
): CustomHeader | InputProblem[] {
  const path = ["custom_header"];
  const stored = before?.sealedCustomHeader == null ? null : before;
  const hasMask = header.headers.some(([, value]) => value === mask);
  if (!hasMask) return header;
  if (mustGiveAgain && stored !== null) return [giveAgain(path)];
  const known = stored === null ? [] : openHeader(ctx.assistant.secrets, kind, stored).headers;
  const complete = unmasked(header, known);
  const unknown = complete.headers.find(([, value]) => value === mask);
  if (unknown === undefined) return complete;
  return [bodyProblem(path, `has the mask for ${unknown[0]}, which has no stored value`, mask)];
}

export async function getModel(ctx: AssistantContext, kind: ModelKind): Promise<ModelWithProbe> {
  const row = await readModelRow(ctx.assistant.database.db, kind);
  return { ...modelView(ctx, kind, row ?? unset), probe: row?.probe ?? null };
}

export async function getEmbedder(ctx: AssistantContext): Promise<EmbedderWithProbe> {
  const agreement = await readAgreement(ctx.assistant.database.db);
  return { ...(await getModel(ctx, "embedder")), agreement };
}

const unset: ModelRow = {
  provider: "",
  endpoint: "",
  sealedApiKey: null,
  deployment: "",
  apiVersion: "",
  model: "",
  sealedCustomHeader: null,
  probe: null,
  version: "",
};

function modelView(ctx: AssistantContext, kind: ModelKind, row: ModelRow): ModelAnswer {
  const { secrets } = ctx.assistant;
  return {
    provider: row.provider,
    endpoint: row.endpoint,
    api_key: row.sealedApiKey === null ? "" : mask,
    deployment: row.deployment,
    api_version: row.apiVersion,
    model: row.model,
    custom_header: printCustomHeader(masked(openHeader(secrets, kind, row))),
  };
}

/** Paths are appended to the endpoint, and a key in the query would be visible to every reader of the configuration. */
function modelEndpointProblems(ctx: AssistantContext, endpoint: string): InputProblem[] {
  const problems = endpointProblems(ctx.assistant.outbound, endpoint);
  if (problems.length > 0 || !/[?#]/.test(endpoint)) return problems;
  return [bodyProblem(["endpoint"], "must not have a query or a fragment", mask)];
}

const skipped = (message: string, at: Date): ProbeResult => ({
  outcome: "skipped",
  reason: "incomplete",
  message,
  checked_at: at.toISOString(),
});
