/**
 * Explains an id that the server does not know: what it looks like instead, which known id is probably meant, and which command
 * lists the ids. Known ids are read only after the refusal, so a right id costs nothing; what cannot be read is left out. Control
 * characters of ids are removed where a failure is printed.
 */
import { nearest } from "../../platform/config/hints.ts";
import { Failure } from "../../platform/errors/failure.ts";
import { callServer, type Server } from "./http.ts";
import type { OperationList, UnitList } from "./wire.ts";

/** Units and operations that a wrong id is compared with. */
const maxCandidates = { units: 500, operations: 100 };

const looksLikeUnit = (id: string): boolean => /[:.]/.test(id);
const looksLikeToken = (id: string): boolean => /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(id);

/** Runs calls for a plan, and explains its token when the server has no such plan. */
export async function explainingPlan<T>(server: Server, token: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure) || !/^COORD_(?:PLAN_NOT_FOUND|UNKNOWN_TOKEN)$/.test(error.code))
      throw error;
    throw withSolutions(error, await explainToken(server, token));
  }
}

async function explainToken(server: Server, token: string): Promise<string[]> {
  const where =
    "`plinth list operations` shows the tokens of plans, `plinth list plans <unit>` those of one unit.";
  if (looksLikeUnit(token)) {
    return [
      `${token} looks like the id of a unit or a component; a plan is named by its token.`,
      `\`plinth list operations --unit ${token}\` shows the plans of a unit.`,
    ];
  }
  const operations = await quietly(async () => {
    const { body } = await callServer<OperationList>(server, {
      method: "GET",
      path: "/api/coordinator/v2/provisioning-operations",
      query: { limit: String(maxCandidates.operations) },
    });
    return body.data.map(({ operation }) => operation);
  });
  const ofOperation = operations?.find(({ operationId }) => operationId === token);
  if (ofOperation) {
    return [`That is the id of an operation; the token of its plan is ${ofOperation.executionPlanId}.`];
  }
  const tokens = operations?.map(({ executionPlanId }) => executionPlanId) ?? [];
  const begun = token.length < 6 ? [] : tokens.filter((each) => each.startsWith(token));
  const meant = begun.length === 1 ? begun[0] : nearest(token, tokens);
  return [...(meant === undefined ? [] : [`Did you mean ${meant}?`]), where];
}

/** Runs a call for a template, and explains its reference when the catalogue has no such template. */
export async function explainingTemplate<T>(server: Server, ref: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // The server refuses it as a field that is not valid, for which there are other reasons too.
    if (!(error instanceof Failure) || !error.problems.some(({ where }) => where === "/templateRef"))
      throw error;
    throw (await noSuchTemplate(server, ref)) ?? error;
  }
}

async function noSuchTemplate(server: Server, ref: string): Promise<Failure | undefined> {
  const templates = await quietly(async () => {
    const query = { filter: "kind=template", fields: "metadata.name,metadata.namespace" };
    const call = { method: "GET", path: "/api/catalog/entities", query } as const;
    return (await callServer<ListedTemplate[]>(server, call)).body;
  });
  const name = ref.replace(/^template:/i, "").replace(/^default\//i, "");
  const names = templates?.map(({ metadata: { name: own, namespace = "default" } }) =>
    namespace === "default" ? own : `${namespace}/${own}`,
  );
  if (names === undefined || names.some((each) => each.toLowerCase() === name.toLowerCase()))
    return undefined;
  const meant = nearest(name, names);
  return new Failure({
    kind: "not_found",
    code: "BUILDER_UNKNOWN_TEMPLATE",
    message: `The catalogue has no template ${ref}${meant === undefined ? "." : `; did you mean ${meant}?`}`,
    solutions: ["`plinth template list` shows those that there are."],
  });
}

interface ListedTemplate {
  metadata: { name: string; namespace?: string };
}

interface AskedUnit {
  unit: string;
  environments: readonly string[];
}

/** Runs calls for a unit, and explains its id when the server knows nothing of it in the environments. */
export async function explainingUnit<T>(
  server: Server,
  asked: AskedUnit,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const codes = /^COORD_(?:NOTHING_DEPLOYED|NOTHING_ACTIVE|OPERATION_NOT_FOUND)$/;
    if (!(error instanceof Failure) || !codes.test(error.code)) throw error;
    throw (await unknownUnit(server, asked)) ?? error;
  }
}

/** The failure for a unit on which no operation was ever started in any of the environments; undefined for a known one. */
export async function unknownUnit(
  server: Server,
  { unit, environments }: AskedUnit,
): Promise<Failure | undefined> {
  const known = await quietly(() =>
    Promise.all(environments.map((environment) => isKnown(server, unit, environment))),
  );
  if (known === undefined || known.some(Boolean)) return undefined;
  return noSuchUnit(server, { unit, environments });
}

async function isKnown(server: Server, unit: string, environment: string): Promise<boolean> {
  const path = `/api/coordinator/v1/deployment-units/${encodeURIComponent(unit)}/provisioning-status`;
  const { body } = await callServer<{ known?: boolean }>(server, {
    method: "GET",
    path,
    query: { environment },
  });
  return body.known !== false;
}

/** The failure for a unit that is known in none of the environments. */
export async function noSuchUnit(server: Server, { unit, environments }: AskedUnit): Promise<Failure> {
  const units = await quietly(async () => {
    const query = { environment: environments.join(","), limit: String(maxCandidates.units) };
    const path = "/api/coordinator/v1/deployment-units";
    return (await callServer<UnitList>(server, { method: "GET", path, query })).body.data;
  });
  const candidates = units?.map(({ deploymentUnitId }) => deploymentUnitId) ?? [];
  const head = `There is no such unit in ${environments.join(" and ")}`;
  const suggestion = nearest(unit, candidates);
  return new Failure({
    kind: "not_found",
    code: "CLI_UNKNOWN_UNIT",
    message: suggestion === undefined ? `${head}: ${unit}.` : `${head}; did you mean ${suggestion}?`,
    solutions: [
      ...(looksLikeToken(unit) ? ["That looks like the token of a plan; a unit is named by its id."] : []),
      "A unit is known in an environment once an operation was started on it there; `plinth list units` shows them.",
    ],
  });
}

function withSolutions(error: Failure, more: readonly string[]): Failure {
  const { kind, code, message, problems, solutions } = error;
  return new Failure({ kind, code, message, problems, solutions: [...solutions, ...more], cause: error });
}

async function quietly<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch {
    // The refusal that is being explained is reported in any case.
    return undefined;
  }
}
