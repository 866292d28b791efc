/** The reference pages: `/docs` lists the interfaces of the server, `/docs/<name>` shows one. */
import type { FastifyInstance, FastifyReply } from "fastify";
import type { MountedArea } from "../area-scope.ts";
import { exchangeOf } from "../requests/exchange.ts";
import { answerHeaders } from "../responses/send-json.ts";
import { indexPage, referencePage, type ReferenceEntry } from "./reference-page.ts";
import { pagePolicy } from "./reference-style.ts";

const base = "/docs";

/** Public, as the documents are that they are made of; each is made at the first request and kept. */
export const serveReference = (root: FastifyInstance, areas: readonly MountedArea[]): void => {
  const entries = areas.map(entryOf);
  servePage(root, base, () => indexPage(entries));
  areas.forEach((mounted, index) => {
    const entry = entries[index] ?? entryOf(mounted);
    servePage(root, `${base}/${entry.name}`, () => referencePage(mounted.document(), entry));
  });
};

export const referencePaths = (areas: readonly MountedArea[]): string[] => [
  base,
  ...areas.map(({ area }) => `${base}/${area.name}`),
];

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

const sendPage = (reply: FastifyReply, text: string): void =>
  void reply
    .headers({
      ...answerHeaders,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": pagePolicy,
      "x-request-id": reply.request.id,
    })
    .send(text);
