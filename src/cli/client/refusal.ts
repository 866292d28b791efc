/** Pure. Turns the three error bodies of a server, or any other body, into one Failure. */
import { Failure, type FailureKind, type Problem } from "../../platform/errors/failure.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

export interface RefusedAnswer {
  status: number;
  /** Parsed when it is JSON, else its text. */
  body: unknown;
  requestId?: string | undefined;
  retryAfter?: string | undefined;
  /** What is to be said of the token that was sent. */
  credentials?: readonly string[];
}

export function toFailure(answer: RefusedAnswer): Failure {
  const { status, body, requestId, retryAfter, credentials = [] } = answer;
  const refusal = readCoordinator(body) ?? readBuilder(body) ?? readAssistant(body) ?? unknownBody(status);
  const isOfProxy = refusal.code === "" && gatewayStatuses.has(status);
  const solutions = [...refusal.solutions];
  if (retryAfter !== undefined && /^\d+$/.test(retryAfter)) solutions.push(`Try again in ${retryAfter} s.`);
  solutions.push(...credentials);
  if (lists[refusal.code] !== undefined)
    solutions.push(`\`plinth ${lists[refusal.code]}\` shows those that there are.`);
  if (status >= 500 && requestId)
    solutions.push(`The server's log has the cause under the request id ${requestId}.`);
  return new Failure({
    kind: isOfProxy ? "unavailable" : kindOf(status),
    code: isOfProxy ? "CLI_UNREACHABLE" : refusal.code === "" ? `HTTP_${status}` : refusal.code,
    message: refusal.message,
    problems: refusal.problems,
    solutions: [...new Set(solutions)],
  });
}

/** The command that lists what an unknown id or name could have meant. */
const lists: Record<string, string> = {
  AUTH_ACCOUNT_NOT_FOUND: "token account list",
  AUTH_TOKEN_NOT_FOUND: "token list --status all",
  BUILDER_ACCESS_REQUEST_NOT_FOUND: "access list",
  BUILDER_ENTITY_NOT_FOUND: "catalog entities list",
  BUILDER_HOOK_NOT_FOUND: "hooks list --status all",
  BUILDER_LOCATION_NOT_FOUND: "catalog locations list",
  BUILDER_UNKNOWN_ENVIRONMENT: "list environments",
  BUILDER_UNKNOWN_TEMPLATE: "template list",
  CGP_EXCEPTION_NOT_FOUND: "exception list",
  CGP_POLICY_NOT_FOUND: "policy list",
  CGP_UNKNOWN_ENVIRONMENT: "list environments",
  COORD_OPERATION_NOT_FOUND: "list operations --status SUCCEEDED",
  COORD_UNKNOWN_ENVIRONMENT: "list environments",
};

interface Refusal {
  code: string;
  message: string;
  problems: Problem[];
  solutions: string[];
}

function readCoordinator(body: unknown): Refusal | null {
  if (!isRecord(body) || typeof body["userMessage"] !== "string") return null;
  const more = isRecord(body["moreInfo"]) ? body["moreInfo"] : {};
  const message = body["userMessage"];
  const listed = texts(more["problems"]);
  const found = listed.length > 0 ? listed : texts(body["errors"]).filter((text) => text !== message);
  return {
    code: text(body["code"]),
    message: message === "" ? (texts(body["errors"])[0] ?? "The server refused.") : message,
    problems: found.map((problem) => splitPlace(problem)),
    solutions: texts(more["solutions"]),
  };
}

/** The coordinator writes a problem as `where: message`; `where` contains no blank. */
function splitPlace(problem: string): Problem {
  const match = /^(\S+?): (.+)$/s.exec(problem);
  return match ? { where: match[1]!, message: match[2]! } : { where: "", message: problem };
}

function readBuilder(body: unknown): Refusal | null {
  const error = isRecord(body) ? body["error"] : undefined;
  if (!isRecord(error) || typeof error["message"] !== "string") return null;
  const problems = Array.isArray(error["problems"]) ? error["problems"].filter((each) => isRecord(each)) : [];
  return {
    code: text(error["code"]),
    message: error["message"],
    problems: problems.map((each) => ({
      where: text(each["where"]),
      message: text(each["message"]),
      ...(typeof each["solution"] === "string" ? { solution: each["solution"] } : {}),
    })),
    solutions: texts(error["solutions"]),
  };
}

function readAssistant(body: unknown): Refusal | null {
  if (!isRecord(body)) return null;
  const { detail } = body;
  if (typeof detail === "string")
    return { code: text(body["code"]), message: detail, problems: [], solutions: [] };
  if (!Array.isArray(detail)) return null;
  const problems = detail.flatMap((each) =>
    isRecord(each) ? [{ where: texts(each["loc"]).join("."), message: text(each["msg"]) }] : [],
  );
  return { code: "", message: "The request is not valid.", problems, solutions: [] };
}

const unknownBody = (status: number): Refusal =>
  gatewayStatuses.has(status)
    ? {
        code: "",
        message: `A proxy answered ${status}: no Plinth server is behind it, or none that answers.`,
        problems: [],
        solutions: ["Try again later; if it stays, check that the server runs and that the URL is its own."],
      }
    : {
        code: "",
        message: `The server answered ${status} and did not say why.`,
        problems: [],
        solutions: ["Check that the URL is that of a Plinth server."],
      };

const kinds: Record<number, FailureKind> = {
  401: "unauthenticated",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  413: "limit",
  429: "limit",
  502: "upstream",
  503: "unavailable",
};

/** What a proxy says while there is no server behind it, or none that answers. */
const gatewayStatuses = new Set([502, 503, 504]);

const kindOf = (status: number): FailureKind => kinds[status] ?? (status >= 500 ? "internal" : "invalid");

const text = (value: unknown): string => (typeof value === "string" ? value : "");

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
