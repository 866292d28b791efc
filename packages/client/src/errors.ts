/** Refusals of the interfaces, whose bodies differ, in one form. */

export interface ErrorProblem {
  /** Place in the input, where the server names one. */
  where: string;
  message: string;
  solution?: string;
}

/** What a server answered in place of a result. */
export class PlinthError extends Error {
  readonly status: number;
  /** The server's code; empty where something else than a Plinth server answered. */
  readonly code: string;
  readonly problems: readonly ErrorProblem[];
  /** What to do. */
  readonly solutions: readonly string[];

  constructor(status: number, body: unknown) {
    const { code, message, problems, solutions } = readBody(body);
    super(message ?? `The server answered ${status}.`);
    this.name = "PlinthError";
    this.status = status;
    this.code = code ?? "";
    this.problems = problems;
    this.solutions = solutions;
  }
}

interface Answered<T> {
  data?: T | undefined;
  error?: unknown;
  response: Response;
}

/** The result of a request; throws a PlinthError where the server refused. */
export const resultOf = async <T>(request: Promise<Answered<T>>): Promise<T> => {
  const { data, error, response } = await request;
  if (!response.ok) throw new PlinthError(response.status, error);
  return data as T;
};

interface Read {
  code: string | undefined;
  message: string | undefined;
  problems: ErrorProblem[];
  solutions: string[];
}

type Json = Record<string, unknown>;

const readBody = (body: unknown): Read => {
  const json = recordOf(body);
  const inner = recordOf(json["error"]);
  if (typeof inner["message"] === "string") return readBuilder(inner);
  if (json["detail"] !== undefined) return readAssistant(json);
  const [first] = listOf(json["errors"]);
  if (recordOf(first)["message"] !== undefined) return readGraphql(listOf(json["errors"]).map(recordOf));
  const more = recordOf(json["moreInfo"]);
  const where = textOf(json["inputErrorField"]) ?? "";
  return {
    code: textOf(json["code"]),
    message: textOf(json["userMessage"]),
    problems: textsOf(more["problems"] ?? json["errors"]).map((message) => ({ where, message })),
    solutions: textsOf(more["solutions"]),
  };
};

const readBuilder = (error: Json): Read => {
  const problems = listOf(error["problems"]).map((each) => {
    const { where, message, solution } = recordOf(each);
    return {
      where: textOf(where) ?? "",
      message: textOf(message) ?? "",
      ...(typeof solution === "string" ? { solution } : {}),
    };
  });
  const solutions = [...new Set(problems.flatMap(({ solution }) => solution ?? []))];
  return { code: textOf(error["code"]), message: textOf(error["message"]), problems, solutions };
};

const readAssistant = (body: Json): Read => {
  const { detail } = body;
  const problems = listOf(detail).map((each) => {
    const { loc, msg } = recordOf(each);
    return { where: listOf(loc).join("."), message: textOf(msg) ?? "" };
  });
  const all = problems.map(({ where, message }) => `${where}: ${message}`).join("; ");
  return { code: textOf(body["code"]), message: textOf(detail) ?? all, problems, solutions: [] };
};

/** Of a refusal, and of an answer of which a part could not be read; `where` is then the path to that part. */
const readGraphql = (errors: Json[]): Read => {
  const problems = errors.map(({ message, path }) => ({
    where: listOf(path).join("."),
    message: textOf(message) ?? "",
  }));
  const code = textOf(recordOf(errors[0]?.["extensions"])["code"]);
  return { code, message: problems.map(({ message }) => message).join("; "), problems, solutions: [] };
};

const recordOf = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
const textsOf = (value: unknown): string[] => listOf(value).filter((each) => typeof each === "string");
