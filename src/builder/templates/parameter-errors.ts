/** Pure: the problems of a template's parameters in the format of the Backstage scaffolder. */
import type { Problem } from "../../platform/errors/failure.ts";
import { unescapeKey } from "../../platform/lib/json-pointer.ts";

export interface ParameterError {
  /** Keys and indexes that lead to the parameter. */
  path: (string | number)[];
  /** The same as text: `instance.columns[0].name`. */
  property: string;
  message: string;
  /** The property and the message together. */
  stack: string;
}

/** One for each problem of the values; none for problems elsewhere in the request. */
export const parameterErrors = (problems: readonly Problem[]): ParameterError[] =>
  problems.flatMap(({ where, message }) => {
    const [first, section, ...keys] = where.split("/");
    if (first !== "" || section !== "values") return [];
    const path = keys.map(unescapeKey).map((key) => (/^\d+$/.test(key) ? Number(key) : key));
    const property = path.reduce<string>(
      (text, key) => (typeof key === "number" ? `${text}[${key}]` : `${text}.${key}`),
      "instance",
    );
    return [{ path, property, message, stack: `${property}: ${message}` }];
  });
