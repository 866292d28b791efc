/** The reference pages: `/docs` lists the interfaces of the server, `/docs/<name>` shows one. */
import type { FastifyInstance, FastifyReply } from "fastify";
import type { MountedArea } from "../area-scope.ts";
import { exchangeOf } from "../requests/exchange.ts";
import { answerHeaders } from "../responses/send-json.ts";
import { indexPage, referencePage, type ReferenceEntry } from "./reference-page.ts";
import { pagePolicy } from "./reference-style.ts";
import { recordOf } from "./schema-names.ts";

const base = "/docs";

/** The document of an interface that this server calls and others offer. */
export interface OtherDocument {
  /** Its page is `/docs/<name>`, the document `/docs/<name>/openapi.json`. */
  name: string;
  document: Record<string, unknown>;
}

/** Public, as the documents are that they are made of; each is made at the first request and kept. */
export const serveReference = (
  root: FastifyInstance,
  areas: readonly MountedArea[],
  others: readonly OtherDocument[],
): void => {
  const own = areas.map((mounted) => ({ entry: entryOf(mounted), document: () => mounted.document() }));
  const all = [...own, ...others.map(({ name, document }) => otherPage(name, document))];
  servePage(root, base, () => indexPage(all.map(({ entry }) => entry)));
  for (const { entry, document } of all)
    servePage(root, `${base}/${entry.name}`, () => referencePage(document(), entry));
  for (const { name, document } of others) serveDocument(root, documentPathOf(name), document);
};

export const referencePaths = (areas: readonly MountedArea[], others: readonly OtherDocument[]): string[] => [
  base,
  ...areas.map(({ area }) => `${base}/${area.name}`),
  ...others.flatMap(({ name }) => [`${base}/${name}`, documentPathOf(name)]),
];

const documentPathOf = (name: string): string => `${base}/${name}/openapi.json`;

const otherPage = (name: string, document: Record<string, unknown>) => {
  const { title, description } = recordOf(document["info"]);
  const entry = {
    name,
    title: String(title),
    description: String(description),
    documentPath: documentPathOf(name),
  };
  return { entry, document: () => document };
};

const entryOf = ({ area }: MountedArea): ReferenceEntry => ({
  name: area.name,
  title: area.title,
  description: area.description ?? "",
  documentPath: `${area.prefix}/openapi.json`,
});

const servePage = (root: FastifyInstance, url: string, build: () => string): void => {
  let text: string | undefined;
  root.get(url, (_request, reply) => {
    exchangeOf(reply.raw).operation = "reference";
    text ??= build();
    sendPage(reply, text);
  });
};

const serveDocument = (root: FastifyInstance, url: string, document: Record<string, unknown>): void => {
  const text = JSON.stringify(document);
  root.get(url, (request, reply) => {
    exchangeOf(reply.raw).operation = "reference";
    void reply
      .headers({
        ...answerHeaders,
        "content-type": "application/json; charset=utf-8",
        "x-request-id": request.id,
      })
      .send(text);
  });
};

const sendPage = (reply: FastifyReply, text: string): void =>
  void reply
    .headers({
      ...answerHeaders,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": pagePolicy,
      "x-request-id": reply.request.id,
    })
    .send(text);
