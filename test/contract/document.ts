/** An interface's published OpenAPI document as what requests are drawn from and answers are checked against. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";

export type Schema = Record<string, any>;

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  schema: Schema;
}

export interface Operation {
  id: string;
  method: string;
  /** The path with its prefix and placeholders. */
  path: string;
  parameters: Parameter[];
  /** Undefined where the operation takes no JSON. */
  body: { schema: Schema; required: boolean } | undefined;
  isUpload: boolean;
  responses: Record<string, { content?: Record<string, unknown> }>;
  /** Whether the document takes the value as the operation's body. */
  takesBody: (value: unknown) => boolean;
  takesParameter: (name: string, value: unknown) => boolean;
  /** What is wrong with the body of an answer; null when nothing is. */
  judge: (status: number, body: unknown) => string | null;
}

export interface ApiDocument {
  operations: Operation[];
  /** The schema that a reference of the document stands for. */
  resolve: (schema: Schema) => Schema;
}

export function readDocument(document: any): ApiDocument {
  const ajv = new Ajv2020({ strict: false, allErrors: false, logger: false });
  formats.default(ajv);
  ajv.addSchema(document, "document");
  const compiled = new Map<string, ValidateFunction>();
  const at = (pointer: string): ValidateFunction => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` });
    compiled.set(pointer, known);
    return known;
  };
  const operationOf = (path: string, method: string, operation: any): Operation => {
    const pointer = `/paths/${segment(path)}/${method}`;
    const parameters: Parameter[] = operation.parameters ?? [];
    const content = operation.requestBody?.content ?? {};
    const json = content["application/json"];
    return {
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      parameters,
      body: json && { schema: json.schema, required: operation.requestBody.required === true },
      isUpload: content["multipart/form-data"] !== undefined,
      responses: operation.responses,
      takesBody: (value) => at(`${pointer}/requestBody/content/application~1json/schema`)(value),
      takesParameter(name, value) {
        const index = parameters.findIndex((parameter) => parameter.name === name);
        return at(`${pointer}/parameters/${index}/schema`)(value);
      },
      judge(status, body) {
        const validate = at(`${pointer}/responses/${status}/content/application~1json/schema`);
        return validate(body) ? null : JSON.stringify(validate.errors);
      },
    };
  };
  return {
    operations: Object.entries<any>(document.paths).flatMap(([path, methods]) =>
      Object.entries<any>(methods).map(([method, operation]) => operationOf(path, method, operation)),
    ),
    resolve(schema) {
      if (typeof schema["$ref"] !== "string") return schema;
      const parts = schema["$ref"].slice(2).split("/");
      return parts.reduce((node, part) => node[part.replaceAll("~1", "/").replaceAll("~0", "~")], document);
    },
  };
}

const segment = (text: string): string =>
  encodeURIComponent(text.replaceAll("~", "~0").replaceAll("/", "~1"));
