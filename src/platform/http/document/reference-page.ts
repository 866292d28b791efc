/**
 * Pure: an OpenAPI document as one page that a browser shows without a script and without anything from elsewhere. Why it is
 * ours: docs/decisions/2026-11-22-reference-page.md.
 */
import { isRecord } from "../../lib/is-record.ts";
import { html, prose, type Html } from "./html.ts";
import { operationRows, schemaRows } from "./reference-parts.ts";
import { pageStyle } from "./reference-style.ts";
import { operationsOf, recordOf } from "./schema-names.ts";

type Json = Record<string, unknown>;

export interface ReferenceEntry {
  name: string;
  title: string;
  description: string;
  /** Address of the OpenAPI document, from the root of the server. */
  documentPath: string;
}

/** The list of the interfaces; links are relative, so that they are right below the path of a proxy too. */
export const indexPage = (entries: readonly ReferenceEntry[]): string =>
  page(
    "Interfaces of this server",
    html`<main class="alone">
      <h1>Interfaces of this server</h1>
      <p>
        Each has a page with its operations, schemas and examples, and the OpenAPI 3.1 document that the page
        is made of.
      </p>
      ${entries.map(
        ({ name, title, description, documentPath }) =>
          html`<section>
            <h2><a href="docs/${name}">${title}</a></h2>
            <p>${prose(description)}</p>
            <p><a href="${documentPath.slice(1)}">OpenAPI document</a></p>
          </section>`,
      )}
    </main>`,
  );

/** The page of one interface. */
export const referencePage = (
  document: Json,
  { documentPath }: Pick<ReferenceEntry, "documentPath">,
): string => {
  const { title, version, description } = recordOf(document["info"]);
  const groups = groupsOf(document);
  const schemas = Object.entries(recordOf(recordOf(document["components"])["schemas"]));
  return page(
    String(title),
    html`<nav aria-label="Operations">
        <p><a href="../docs">All interfaces</a></p>
        ${groups.map(
          ({ name, operations }) =>
            html`<h2><a href="#${anchorOf(name)}">${name}</a></h2>
              <ul>
                ${operations.map(
                  ({ id, operation }) =>
                    html`<li><a href="#${id}">${operation["summary"] as string}</a></li>`,
                )}
              </ul>`,
        )}
        <h2><a href="#schemas">Schemas</a></h2>
      </nav>
      <main>
        <h1>${String(title)}</h1>
        <p>${prose(typeof description === "string" ? description : "")}</p>
        <p>
          <a href="..${documentPath}">OpenAPI document</a>, version ${String(version)} of the interface.
          Requests carry <code>authorization: Bearer</code> and a token, where an operation does not say that
          anybody may call it.
        </p>
        ${groups.map(
          ({ name, description: about, operations }) =>
            html`<section id="${anchorOf(name)}">
              <h2>${name}</h2>
              <p>${prose(about)}</p>
              ${operations.map(operationRows)}
            </section>`,
        )}
        <section id="schemas">
          <h2>Schemas</h2>
          ${schemas.map(([name, schema]) => schemaRows(name, recordOf(schema)))}
        </section>
      </main>`,
  );
};

interface Group {
  name: string;
  description: string;
  operations: { id: string; method: string; path: string; operation: Json }[];
}

/** The operations by their tag, in the order of the tags; those without one come last. */
const groupsOf = (document: Json): Group[] => {
  const tags = Array.isArray(document["tags"]) ? document["tags"].filter(isRecord) : [];
  const all = [...operationsOf(document)].map(([id, operation]) => ({
    id,
    operation,
    ...placeOf(document, operation),
  }));
  const withTag = (name: string) =>
    all.filter(({ operation }) => Array.isArray(operation["tags"]) && operation["tags"][0] === name);
  const named = tags.map((tag) => ({
    name: String(tag["name"]),
    description: String(tag["description"]),
    operations: withTag(String(tag["name"])),
  }));
  const known = new Set(named.flatMap(({ operations }) => operations.map(({ id }) => id)));
  const rest = all.filter(({ id }) => !known.has(id));
  return [
    ...named,
    ...(rest.length === 0 ? [] : [{ name: "Operations", description: "", operations: rest }]),
  ];
};

const placeOf = (document: Json, operation: Json): { method: string; path: string } => {
  for (const [path, methods] of Object.entries(recordOf(document["paths"])))
    for (const [method, other] of Object.entries(recordOf(methods)))
      if (other === operation) return { method: method.toUpperCase(), path };
  return { method: "", path: "" };
};

const anchorOf = (name: string): string => `group-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;

const page = (title: string, body: Html): string =>
  `<!doctype html>\n${
    html`<html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${pageStyle}
      </head>
      <body>
        ${body}
      </body>
    </html>`.text
  }\n`;
