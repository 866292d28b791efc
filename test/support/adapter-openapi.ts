/** Requests to adapters held against the OpenAPI document that the product ships for their authors. */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { load } from "js-yaml";

interface Operation {
  requestBody?: { content: Record<string, { schema: { $ref: string } }> };
}

const document = JSON.parse(
  readFileSync(new URL("../../openapi/tech-adapter.json", import.meta.url), "utf8"),
) as { paths: Record<string, Record<string, Operation>> };
const ajv = new Ajv2020({ allErrors: true, strict: false }).addSchema(document, "tech-adapter");

interface AdapterRequest {
  method: string;
  path: string;
  body: unknown;
}

/** Why the request is not one of the document; empty when it is. The texts inside a body count too. */
export function adapterRequestProblems({ method, path, body }: AdapterRequest): string[] {
  const template = path.replace(
    /^(\/v1\/(?:provision|reverse-provisioning)|\/v2\/validate)\/[^/]+/,
    "$1/{token}",
  );
  const operation = document.paths[template]?.[method.toLowerCase()];
  if (!operation) return [`${method} ${path} is not in the document`];
  const schema = operation.requestBody?.content["application/json"]?.schema;
  if (!schema) return [];
  return [...misfits(schema.$ref, body), ...textProblems(body as Record<string, unknown>)].map(
    (problem) => `${method} ${path}: ${problem}`,
  );
}

function misfits(ref: string, value: unknown): string[] {
  const validate = ajv.compile({ $ref: `tech-adapter${ref}` });
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const descriptorSchema = ajv.compile({
  type: "object",
  required: ["dataProduct", "componentIdToProvision"],
  additionalProperties: false,
  properties: { dataProduct: { $ref: "#/$defs/unit" }, componentIdToProvision: { type: "string" } },
  $defs: {
    unit: {
      type: "object",
      required: ["id", "components"],
      properties: { components: { type: "array", items: { type: "object", required: ["id"] } } },
    },
  },
});

function textProblems(body: Record<string, any>): string[] {
  const problems: string[] = [];
  const read = (name: string, text: unknown, parse: (text: string) => unknown): unknown => {
    try {
      return typeof text === "string" ? parse(text) : undefined;
    } catch (error) {
      problems.push(`${name} cannot be read: ${(error as Error).message}`);
      return undefined;
    }
  };
  const component = (name: string, value: unknown): void => {
    if (value !== undefined && !descriptorSchema(value))
      problems.push(`${name} is no COMPONENT_DESCRIPTOR: ${ajv.errorsText(descriptorSchema.errors)}`);
  };
  const descriptor = read("descriptor", body["descriptor"], load);
  if (body["descriptorKind"] === "COMPONENT_DESCRIPTOR") component("descriptor", descriptor);
  read("latestEnrichedDescriptor", body["latestEnrichedDescriptor"], load);
  const info = body["provisionInfo"] as { request?: unknown; result?: unknown } | undefined;
  component("provisionInfo.request", read("provisionInfo.request", info?.request, JSON.parse));
  const result = read("provisionInfo.result", info?.result, JSON.parse);
  if (result !== undefined) {
    problems.push(...misfits("#/components/schemas/ProvisioningStatus", result));
    const parts = Object.keys((result as { info?: object }).info ?? {});
    if (!parts.includes("publicInfo") || !parts.includes("privateInfo"))
      problems.push("provisionInfo.result has no info of both parts");
  }
  return problems;
}
