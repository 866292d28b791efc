import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import { DatabaseWait } from "../lib/database-wait.ts";
import { answerFailure, toFailure } from "./responses/answer-failure.ts";
import { refuseCharset } from "./input/charset.ts";
import { createContext } from "./requests/context.ts";
import { inputFailure } from "./errors.ts";
import { exchangeOf } from "./requests/exchange.ts";
import { actorOf, guard } from "./admission/guard.ts";
import { createChecker, type Checker } from "./input/check-input.ts";
import type { Kit } from "./kit.ts";
import { openApiDocument, takesBody, type DocumentedOperation } from "./document/openapi.ts";
import { otherAnswer, type Area, type Operation } from "./operation.ts";
import { placeholdersOf, toRouterPath } from "./paths.ts";
import { createInputReader, type InputReader } from "./input/read-input.ts";
import { sendJson } from "./responses/send-json.ts";

export interface MountedArea {
  area: Area;
  operations: readonly DocumentedOperation[];
  /** The area's OpenAPI document. */
  document: () => Record<string, unknown>;
}

/** Gives an area a scope of its own: its operations, its failures, its plugins and its document. */
export const mountArea = async (root: FastifyInstance, area: Area, kit: Kit): Promise<MountedArea> => {
  const operations: DocumentedOperation[] = [];
  const isPublic = (rule: string): boolean => kit.access.isPublic(rule);
  const document = (): Record<string, unknown> =>
    openApiDocument(area, operations, { isPublic, serverUrl: kit.serverUrl });
  await root.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      const failure = toFailure(error, {
        kit,
        limitBytes: limitOf(request, kit),
        problems: () => readerOf(request)?.(request).problems ?? [],
      });
      answerFailure(reply, { failure, kit, area });
    });
    for (const [name, schema] of Object.entries(area.schemas ?? {})) {
      scope.addSchema({ $id: name, ...schema });
    }
    const place = { scope, area, kit, operations, checker: createChecker(area.schemas) };
    await area.register({ area, fastify: scope, add: (operation) => addOperation(place, operation) });
    serveDocument(scope, `${area.prefix}/openapi.json`, document);
  });
  return { area, operations, document };
};

/** Public, like the documentation of the interface; built at the first request and cached. */
const serveDocument = (scope: FastifyInstance, url: string, build: () => unknown): void => {
  let text: string | undefined;
  scope.get(url, (_request, reply) => {
    exchangeOf(reply.raw).operation = "openapi";
    text ??= JSON.stringify(build());
    reply.sendJson(text);
  });
};

interface Place {
  scope: FastifyInstance;
  area: Area;
  kit: Kit;
  checker: Checker;
  operations: DocumentedOperation[];
}

interface RouteConfig {
  bodyLimitBytes?: number | undefined;
  /** The path with its `{placeholders}`. */
  template?: string;
  read?: InputReader;
  basicAuth?: boolean;
  rule?: string;
  challenge?: (() => Record<string, string>) | undefined;
}

declare module "fastify" {
  interface FastifyContextConfig extends RouteConfig {}
}

/**
 * Bodies of public operations, which anybody may send: the limit where the operation sets none, and the highest that it may set.
 * Callers without credentials are not to keep the process busy.
 */
const publicBodyBytes = { usual: 32 * 1024, most: 256 * 1024 } as const;

/** Undefined where the limit is that of the server. */
const ownLimitOf = ({ bodyLimitBytes, rule }: Operation, kit: Kit): number | undefined =>
  bodyLimitBytes ??
  (kit.access.isPublic(rule) ? Math.min(publicBodyBytes.usual, kit.bodyLimitBytes) : undefined);

const limitOf = (request: FastifyRequest, kit: Kit): number =>
  request.routeOptions.config.bodyLimitBytes ?? kit.bodyLimitBytes;

const readerOf = (request: FastifyRequest): InputReader | undefined => request.routeOptions.config.read;

const addOperation = (place: Place, operation: Operation): void => {
  const { area, operations } = place;
  const base = operation.base ?? area.prefix;
  refuseMistakes(place, operation, base);
  operations.push({ operation, fullPath: base + operation.path });
  mount(place, operation, base);
  if (base !== area.prefix) return;
  for (const second of area.secondBases ?? []) {
    operations.push({ operation, fullPath: second + operation.path, isCopy: true });
    mount(place, operation, second);
  }
};

const mount = ({ area, scope, kit, checker }: Place, operation: Operation, base: string): void => {
  const routerPath = toRouterPath(base + operation.path);
  const read = createInputReader(operation, routerPath, checker);
  const bodyLimitBytes = ownLimitOf(operation, kit);
  scope.route({
    method: operation.method,
    url: routerPath.url,
    ...(bodyLimitBytes === undefined ? {} : { bodyLimit: bodyLimitBytes }),
    config: {
      bodyLimitBytes,
      template: base + operation.path,
      read,
      basicAuth: operation.basicAuth === true,
      rule: operation.rule,
      challenge: operation.challenge,
    },
    onRequest: takesBody(operation) ? [guard(operation, kit), refuseCharset] : guard(operation, kit),
    handler: handle(operation, { area, kit, read }),
  });
};

const refuseMistakes = ({ area, operations, kit }: Place, operation: Operation, base: string): void => {
  const say = (what: string): never => {
    throw new Error(`operation ${area.name}.${operation.id}: ${what}`);
  };
  if (base !== area.prefix && area.aliases?.includes(base) !== true) {
    say(`its base ${base} is neither the prefix nor an alias of the area`);
  }
  if (!kit.access.hasRule(operation.rule)) {
    say(`its rule ${operation.rule} is not in the policy table`);
  }
  if (operations.some((other) => other.operation.id === operation.id)) {
    say("another operation has this id");
  }
  if (operation.readsCaller === true && !kit.access.isPublic(operation.rule)) {
    say("it reads the caller and is not public, so it has the caller anyway");
  }
  if (operation.urgent === true && kit.access.isPublic(operation.rule)) {
    say("it is urgent and public, so anybody could go before the rest");
  }
  const { bodyLimitBytes = 0 } = operation;
  if (bodyLimitBytes > publicBodyBytes.most && kit.access.isPublic(operation.rule)) {
    say(
      `anybody may send it ${bodyLimitBytes} bytes; of public operations the most is ${publicBodyBytes.most}`,
    );
  }
  const inPath = placeholdersOf(operation.path).sort().join(", ");
  const declared = Object.keys(operation.params?.properties ?? {}).sort();
  if (operation.params !== undefined && inPath !== declared.join(", ")) {
    say(`its path names {${inPath}} and its params {${declared.join(", ")}}`);
  }
};

interface Handling {
  area: Area;
  kit: Kit;
  read: InputReader;
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => void;

const handle = (operation: Operation, { area, kit, read }: Handling): Handler => {
  const status = Number(Object.keys(operation.response)[0] ?? 200);
  const schema = operation.response[status];
  const isJson = otherAnswer(schema) === undefined;
  const waitMs = kit.databaseWaitMs[operation.method === "GET" ? "read" : "write"];
  const answer = (reply: FastifyReply, value: unknown): void => {
    if (reply.sent) {
      return;
    }
    if (isJson) {
      sendJson(reply, serialize(reply, value, schema), status);
    } else {
      reply.code(status).send();
    }
  };
  const fail = (reply: FastifyReply, error: unknown): void =>
    answerFailure(reply, {
      failure: toFailure(error, { kit, limitBytes: limitOf(reply.request, kit) }),
      kit,
      area,
    });
  const answerLater = async (
    reply: FastifyReply,
    result: Promise<unknown>,
    wait: DatabaseWait,
  ): Promise<void> => {
    try {
      answer(reply, await result);
    } catch (error) {
      fail(reply, error);
    }
    wait.answered();
  };
  return (request, reply) => {
    const { params, query, body, problems } = read(request);
    if (problems.length > 0) {
      const isOfPath = problems.every(({ place }) => place === "path");
      throw (isOfPath ? operation.invalidPath?.() : undefined) ?? inputFailure(problems);
    }
    const ctx = createContext(reply, actorOf(request), { kit, extra: area.extra });
    const input = { params, query, body, raw: request, reply };
    const exchange = exchangeOf(reply.raw);
    const wait = new DatabaseWait(waitMs, () => reply.raw.headersSent);
    exchange.databaseWait = wait;
    const { span } = exchange;
    const result =
      span === undefined ? operation.handler(ctx, input) : span.run(() => operation.handler(ctx, input));
    if (result instanceof Promise) {
      void answerLater(reply, result, wait);
    } else {
      answer(reply, result);
      wait.answered();
    }
  };
};

/** Through the answer's schema: faster than JSON.stringify, and what the schema does not name stays inside. */
const serialize = (reply: FastifyReply, value: unknown, schema: TSchema | undefined): string => {
  if (schema === undefined) {
    return JSON.stringify(value);
  }
  // Compiled at the first response and cached with the route.
  const compiled: (value: never) => string = reply.compileSerializationSchema(
    schema as { [key: string]: unknown } & TSchema,
  );
  return String(Reflect.apply(compiled, undefined, [value]));
};
