/** Documents that were parsed and found valid: the same text is neither parsed nor planned again while it is known. */
import { createHash } from "node:crypto";
import {
  getOperationAST,
  getVariableValues,
  GraphQLError,
  Kind,
  OperationTypeNode,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLSchema,
} from "grafast/graphql";
import { dataLayerFailure } from "../errors.ts";
import { countIntrospected, mostIntrospected } from "./introspection.ts";
import { measureDocument, type Excess, type Limits } from "./limits.ts";

export interface DocumentLimits extends Limits {
  tokens: number;
}

/** A document that may be executed. */
export interface ReadDocument {
  document: DocumentNode;
  /** Of its operations; undefined for one without a name. */
  operations: readonly (string | undefined)[];
  /** Whether it asks for the schema itself. */
  isIntrospection: boolean;
  /** Throws a Failure that says which of the variables do not fit the operation. */
  refuseVariables: (operationName: string | undefined, variables: Readonly<Record<string, unknown>>) => void;
}

export interface Documents {
  /** The document of a text, ready to be executed with these variables. Throws a Failure that says all that is wrong. */
  read(query: string, variables: Readonly<Record<string, unknown>>): ReadDocument;
}

/** How many are stored, and of how many characters together. */
const maxStored = 500;
const maxStoredLength = 2_000_000;
/** Errors of one document that are told. */
const maxErrors = 10;

/** It is stored once it was found valid. */
interface Entry {
  document: DocumentNode;
  length: number;
}

export function createDocuments(schema: GraphQLSchema, limits: DocumentLimits): Documents {
  const known = new Map<string, Entry>();
  let storedLength = 0;
  const keep = (key: string, entry: Entry): void => {
    known.set(key, entry);
    storedLength += entry.length;
    for (const [oldest, { length }] of known) {
      if (known.size <= maxStored && storedLength <= maxStoredLength) break;
      known.delete(oldest);
      storedLength -= length;
    }
  };
  const most = mostIntrospected(schema);
  const refuseIntrospection = (
    document: DocumentNode,
    variables: Readonly<Record<string, unknown>>,
  ): void => {
    if (countIntrospected(schema, document, { variables, most }) <= most) return;
    const message = `The introspection asks for more than ${most} values, twice what the standard one has.`;
    throw dataLayerFailure("GRAPHQL_COST", { message });
  };
  return {
    read(query, variables) {
      const key = hashOf(query);
      const entry = known.get(key) ?? { document: parseWithin(query, limits.tokens), length: query.length };
      // With each request, because pages may be variables.
      const { excess, isIntrospection } = measureDocument({
        schema,
        document: entry.document,
        variables,
        limits,
      });
      refuseExcess(excess);
      if (known.delete(key)) storedLength -= entry.length;
      else refuseInvalid(schema, entry.document);
      if (isIntrospection) refuseIntrospection(entry.document, variables);
      keep(key, entry);
      const { document } = entry;
      return {
        document,
        isIntrospection,
        operations: operationNames(document),
        refuseVariables(operationName, given) {
          const { variableDefinitions = [] } = getOperationAST(document, operationName) ?? {};
          refuseErrors(getVariableValues(schema, variableDefinitions, given, { maxErrors }).errors ?? []);
        },
      };
    },
  };
}

export const hashOf = (query: string): string => createHash("sha256").update(query).digest("hex");

function parseWithin(query: string, maxTokens: number): DocumentNode {
  try {
    return parse(query, { maxTokens, noLocation: false });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    if (error.message.includes("Document contains more that") || /more than \d+ tokens/.test(error.message))
      throw dataLayerFailure("GRAPHQL_TOKENS", {
        message: `The document has more than ${maxTokens} tokens.`,
      });
    throw dataLayerFailure("GRAPHQL_SYNTAX", { message: error.message, ...placeOf(error) });
  }
}

function refuseExcess([first, ...others]: readonly Excess[]): void {
  if (first === undefined) return;
  const same = [first, ...others].filter(({ code }) => code === first.code);
  throw dataLayerFailure(first.code, {
    message: first.message,
    problems: same.map(({ message }) => ({ where: "", message })),
  });
}

function refuseInvalid(schema: GraphQLSchema, document: DocumentNode): void {
  const isQuery = document.definitions.every(
    (each) => each.kind !== Kind.OPERATION_DEFINITION || each.operation === OperationTypeNode.QUERY,
  );
  if (!isQuery)
    throw dataLayerFailure("GRAPHQL_INVALID", {
      message: "The data layer is read-only: there are queries only.",
    });
  refuseErrors(validate(schema, document, specifiedRules, { maxErrors }));
}

function refuseErrors(errors: readonly GraphQLError[]): void {
  const [first] = errors;
  if (first === undefined) return;
  throw dataLayerFailure("GRAPHQL_INVALID", {
    message: first.message,
    problems: errors.map((error) => ({ message: error.message, ...placeOf(error) })),
  });
}

/** `line:column`. */
const placeOf = ({ locations }: GraphQLError): { where: string } => {
  const [at] = locations ?? [];
  return { where: at === undefined ? "" : `${at.line}:${at.column}` };
};

const operationNames = (document: DocumentNode): (string | undefined)[] =>
  document.definitions.flatMap((each) => (each.kind === Kind.OPERATION_DEFINITION ? [each.name?.value] : []));
