import { GraphQLError } from "grafast/graphql";
import { expect, it } from "vitest";
import { Failure } from "../../platform/errors/failure.ts";
import { silentLogger, type Logger } from "../../platform/lib/logger.ts";
import { systemContext } from "../../platform/lib/request-context.ts";
import type { DataLayerContext } from "../context.ts";
import { answerQuery } from "./service.ts";

const secret = 'syntax error at "select secret from units"';

/** Answers with what the executor does, which finds these errors and no data. */
async function answerOf(errors: readonly { error: unknown; isOfCaller: boolean }[]) {
  const logged: unknown[] = [];
  const log: Logger = { ...silentLogger, error: (...given: unknown[]) => void logged.push(given) };
  const dataLayer = {
    layer: {
      graph: async () => ({
        graph: { execute: async () => ({ data: undefined, errors }) },
        documents: {
          read: () => ({ document: {}, operations: [undefined], refuseVariables: () => undefined }),
        },
      }),
    },
    settings: { bounds: { timeoutMs: 60_000, maxLength: 1_000 } },
    persisted: { resolve: (query: string) => query, keep: () => undefined },
    metrics: { queries: { observe: () => undefined }, refused: { add: () => undefined } },
  };
  const ctx = { ...systemContext(log, () => new Date()), dataLayer } as unknown as DataLayerContext;
  const failure = await answerQuery(ctx, { query: "{ a }" }).catch((error: unknown) => error);
  if (!(failure instanceof Failure)) throw new Error("The query was answered.");
  return { failure, logged };
}

it("a query that could not be planned is a defect of ours, without its words", async () => {
  const error = new GraphQLError(secret, { originalError: new Error(secret) });
  const { failure, logged } = await answerOf([{ error, isOfCaller: false }]);
  expect([failure.kind, failure.code]).toEqual(["internal", "GRAPHQL_INTERNAL"]);
  expect(JSON.stringify([failure.message, failure.problems])).not.toContain("select");
  expect(logged).toHaveLength(1);
});

it("a query that the library refuses for the caller is the caller's mistake", async () => {
  const error = new GraphQLError("Cannot use 'offset' with 'last'", {
    originalError: new Error("Cannot use 'offset' with 'last'"),
  });
  const { failure, logged } = await answerOf([{ error, isOfCaller: true }]);
  expect([failure.kind, failure.code, failure.message]).toEqual([
    "invalid",
    "GRAPHQL_INVALID",
    "Cannot use 'offset' with 'last'",
  ]);
  expect(logged).toEqual([]);
});
