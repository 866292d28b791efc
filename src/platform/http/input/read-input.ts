import type { FastifyRequest } from "fastify";
import { wrongContentType } from "../errors.ts";
import { asInput, pathSchema, type Check, type Checker } from "./check-input.ts";
import { parseJson } from "./json.ts";
import type { InputProblem, Operation } from "../operation.ts";
import type { RouterPath } from "../paths.ts";
import { inputProblem } from "./problems.ts";
import { planParameters, readPath, readQuery } from "./query.ts";

export interface ReadInput {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
  problems: InputProblem[];
}

export type InputReader = (request: FastifyRequest) => ReadInput;

const nothing: { value: Record<string, unknown>; problems: InputProblem[] } = {
  value: Object.freeze({}),
  problems: [],
};

/** Reads path, query and body of one operation; whatever is wrong with any of them is in `problems`. */
export const createInputReader = (
  operation: Operation,
  { names }: RouterPath,
  checker: Checker,
): InputReader => {
  const readParams = names.length === 0 ? undefined : paramsReader(operation, names, checker);
  const readParameters = operation.query === undefined ? undefined : queryReader(operation.query, checker);
  const readPayload = bodyReader(operation, checker);
  return (request) => {
    const params = readParams === undefined ? nothing : readParams(request.params);
    const query = readParameters === undefined ? nothing : readParameters(request.raw.url ?? "");
    const body = readPayload(request);
    return {
      params: params.value,
      query: query.value,
      body: body.value,
      problems: joined(params.problems, query.problems, body.problems),
    };
  };
};

const joined = (first: InputProblem[], ...others: InputProblem[][]): InputProblem[] => {
  let all = first;
  for (const list of others) {
    all = list.length === 0 ? all : all.length === 0 ? list : [...all, ...list];
  }
  return all;
};

const paramsReader = (operation: Operation, names: RouterPath["names"], checker: Checker) => {
  const schema = operation.params ?? pathSchema(names.map(([name]) => name));
  const plan = planParameters(schema);
  const check = checker.compile("path", asInput(schema));
  return (given: unknown): typeof nothing => {
    const { values, problems } = readPath((name) => textAt(given, name), names, plan);
    return { value: values, problems: joined(problems, check(values)) };
  };
};

const textAt = (params: unknown, name: string): string => {
  const text: unknown = typeof params === "object" && params !== null ? Reflect.get(params, name) : "";
  return typeof text === "string" ? text : "";
};

const queryReader = (schema: NonNullable<Operation["query"]>, checker: Checker) => {
  const plan = planParameters(schema);
  const check = checker.compile("query", asInput(schema));
  return (url: string): typeof nothing => {
    const start = url.indexOf("?");
    const { values, problems } = readQuery(start === -1 ? "" : url.slice(start + 1), plan);
    const wrong = check(values);
    if (problems.length === 0) {
      return { value: values, problems: wrong };
    }
    const refused = new Set(problems.map((problem) => problem.where));
    return {
      value: values,
      problems: joined(
        problems,
        wrong.filter((problem) => !refused.has(problem.where)),
      ),
    };
  };
};

const bodyReader = (operation: Operation, checker: Checker): ((request: FastifyRequest) => ReadBody) => {
  if (operation.upload !== undefined) {
    return readUpload;
  }
  const { body, bodyOptional = false } = operation;
  if (body === undefined) {
    return () => noBody;
  }
  const check = checker.compile("body", asInput(body));
  return (request) => readBody(request, { check, isOptional: bodyOptional });
};

interface ReadBody {
  value: unknown;
  problems: InputProblem[];
}

const noBody: ReadBody = { value: undefined, problems: [] };

const multipart = "multipart/form-data";

const readUpload = ({ headers }: FastifyRequest): ReadBody =>
  headers["content-type"]?.toLowerCase().startsWith(multipart) === true
    ? noBody
    : { value: undefined, problems: [wrongContentType(headers["content-type"], multipart)] };

const readBody = (
  request: FastifyRequest,
  { check, isOptional }: { check: Check; isOptional: boolean },
): ReadBody => {
  const { headers, body } = request;
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    return {
      value: undefined,
      problems: [
        inputProblem("header", ["content-encoding"], {
          keyword: "contentEncoding",
          message: "must be left out: bodies are taken uncompressed",
        }),
      ],
    };
  }
  if (!Buffer.isBuffer(body)) {
    return readMissing(request, isOptional);
  }
  if (body.length === 0 && isOptional) {
    return noBody;
  }
  const { value, problems } = parseJson(body);
  return problems.length > 0 ? { value: undefined, problems } : { value, problems: check(value) };
};

/** No JSON was read: there was no body, or one of another content type. */
const readMissing = ({ headers }: FastifyRequest, isOptional: boolean): ReadBody => {
  const hasBody = headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
  if (hasBody) {
    return { value: undefined, problems: [wrongContentType(headers["content-type"], "application/json")] };
  }
  return isOptional ? noBody : { value: undefined, problems: parseJson(Buffer.alloc(0)).problems };
};
