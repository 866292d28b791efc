/** Pure: operations and schemas of a document as HTML. */
import { isRecord } from "../../lib/is-record.ts";
import { html, prose, type Html } from "./html.ts";
import { recordOf } from "./schema-names.ts";

type Json = Record<string, unknown>;

interface ShownOperation {
  id: string;
  method: string;
  path: string;
  operation: Json;
}

export const operationRows = ({ id, method, path, operation }: ShownOperation): Html => {
  const { summary, description, deprecated, parameters, requestBody, responses } = operation;
  const isPublic = Array.isArray(operation["security"]) && operation["security"].length === 0;
  const access = isPublic ? "Anybody may call it." : `Rule: ${String(operation["x-rule"])}.`;
  return html`<article id="${id}">
    <h3>${String(summary)}</h3>
    <p class="call"><b class="${method.toLowerCase()}">${method}</b> <code>${path}</code></p>
    ${deprecated === true ? html`<p class="note">Deprecated.</p>` : ""}
    ${typeof description === "string" ? html`<p>${prose(description)}</p>` : ""}
    <p class="about"><code>${id}</code>. ${access}</p>
    ${parameterTable(parameters)} ${isRecord(requestBody) ? requestPart(requestBody) : ""}
    ${responsePart(recordOf(responses))}
  </article>`;
};

export const schemaRows = (name: string, schema: Json): Html => {
  const { description, properties, required } = schema;
  const needed = new Set(Array.isArray(required) ? required : []);
  return html`<article id="schema-${name}">
    <h3>${name}</h3>
    ${typeof description === "string" ? html`<p>${prose(description)}</p>` : ""}
    ${
      isRecord(properties) && Object.keys(properties).length > 0
        ? fieldTable(
            "Field",
            Object.entries(properties).map(([field, value]) => ({
              name: field,
              isRequired: needed.has(field),
              schema: recordOf(value),
            })),
          )
        : html`<p>${typeText({ ...schema, description: undefined })}</p>`
    }
  </article>`;
};

interface Field {
  name: string;
  isRequired: boolean;
  schema: Json;
  place?: string;
}

const fieldTable = (head: string, fields: Field[]): Html =>
  html`<div class="wide">
    <table>
      <thead>
        <tr>
          <th scope="col">${head}</th>
          <th scope="col">Type</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        ${fields.map(
          ({ name, isRequired, schema, place }) =>
            html`<tr>
              <td>
                <code>${name}</code>${place === undefined ? "" : html` <small>${place}</small>`}
                ${isRequired ? html`<small class="needed">required</small>` : ""}
              </td>
              <td>${typeText(schema)}</td>
              <td>${meaningOf(schema)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;

const meaningOf = (schema: Json): Html => {
  const { description, default: value } = schema;
  const limits = limitNames.flatMap(([key, text]) => {
    const limit = schema[key];
    return typeof limit === "string" || typeof limit === "number" ? [`${text} ${limit}`] : [];
  });
  return html`${typeof description === "string" ? prose(description) : ""}
  ${value === undefined ? "" : html` <small>Default <code>${JSON.stringify(value)}</code>.</small>`}
  ${limits.length === 0 ? "" : html` <small>(${limits.join("; ")})</small>`}`;
};

const limitNames = [
  ["minimum", "at least"],
  ["maximum", "at most"],
  ["minLength", "shortest length"],
  ["maxLength", "longest length"],
  ["minItems", "fewest entries"],
  ["maxItems", "most entries"],
  ["pattern", "pattern"],
] as const;

const parameterTable = (parameters: unknown): Html | string =>
  Array.isArray(parameters) && parameters.length > 0
    ? fieldTable(
        "Parameter",
        parameters.map(recordOf).map(({ name, in: place, required, description, schema }) => ({
          name: String(name),
          place: String(place),
          isRequired: required === true,
          schema: { ...recordOf(schema), ...(description === undefined ? {} : { description }) },
        })),
      )
    : "";

const requestPart = (body: Json): Html =>
  html`<h4>Request</h4>
    ${mediaRows(body)}`;

const mediaRows = (part: Json): Html[] =>
  Object.entries(recordOf(part["content"])).map(([type, media]) => {
    const { schema, example } = recordOf(media);
    return html`<p>${typeText(recordOf(schema))} <small>${type}</small></p>
      ${example === undefined ? "" : exampleBlock(example)}`;
  });

const exampleBlock = (example: unknown): Html =>
  html`<details open>
    <summary>Example</summary>
    <pre tabindex="0"><code>${
      typeof example === "string" && example.includes("\n") ? example : JSON.stringify(example, null, 2)
    }</code></pre>
  </details>`;

const responsePart = (responses: Json): Html => {
  const all = Object.entries(responses).map(([status, response]) => ({
    status,
    response: recordOf(response),
  }));
  const good = all.filter(({ status }) => Number(status) < 300);
  const bad = all.filter(({ status }) => Number(status) >= 300);
  return html`${good.map(
      ({ status, response }) =>
        html`<h4>Answer ${status}</h4>
          <p>${prose(String(response["description"]))}</p>
          ${mediaRows(response)}`,
    )}
    <details>
      <summary>Failures: ${bad.map(({ status }) => status).join(", ")}</summary>
      <ul>
        ${bad.map(({ status, response }) => {
          const [media] = Object.values(recordOf(response["content"]));
          return html`<li>
            <b>${status}</b> ${String(response["description"])}${
              media === undefined ? "" : html`, ${typeText(recordOf(recordOf(media)["schema"]))}`
            }
          </li>`;
        })}
      </ul>
    </details>`;
};

/** A schema in words, with a link to each that has a name. */
const typeText = (schema: Json): Html => {
  const { $ref, type, enum: values, const: only, anyOf, oneOf, items, format } = schema;
  if (typeof $ref === "string") {
    const name = $ref.slice($ref.lastIndexOf("/") + 1);
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (only !== undefined) return html`<code>${JSON.stringify(only)}</code>`;
  if (Array.isArray(values))
    return joined(
      values.map((value) => html`<code>${JSON.stringify(value)}</code>`),
      " ",
    );
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices))
    return joined(
      choices.map((each) => typeText(recordOf(each))),
      " or ",
    );
  if (type === "array") return html`list of ${isRecord(items) ? typeText(items) : "anything"}`;
  if (type === "object" && isRecord(schema["properties"]) && Object.keys(schema["properties"]).length > 0)
    return html`object with
    ${joined(
      Object.entries(schema["properties"]).map(
        ([name, value]) => html`<code>${name}</code>: ${typeText(recordOf(value))}`,
      ),
      ", ",
    )}`;
  const names = Array.isArray(type) ? type.join(" or ") : typeof type === "string" ? type : "anything";
  return html`${names}${typeof format === "string" ? ` (${format})` : ""}`;
};

const joined = (parts: Html[], separator: string): Html =>
  html`${parts.map((part, index) => html`${index === 0 ? "" : separator}${part}`)}`;
