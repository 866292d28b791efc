/** Pure: JSON as YAML, for reading. */

/** Texts that YAML would read as something else, or that have a sign with a meaning in it. */
const isPlain = (text: string): boolean =>
  /^[A-Za-z_/][\w ./@${}()-]*(?::[\w/][\w ./@:-]*)?$/.test(text) &&
  !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text) &&
  !text.endsWith(" ") &&
  !text.includes(" #") &&
  !text.includes(": ");

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;

const scalar = (value: unknown): string =>
  typeof value === "string" && isPlain(value) ? value : (JSON.stringify(value) ?? "null");

const block = (text: string, indent: string): string =>
  `|-\n${text
    .split("\n")
    .map((line) => (line === "" ? "" : `${indent}${line}`))
    .join("\n")}`;

const isBlock = (value: unknown): value is string =>
  typeof value === "string" && value.includes("\n") && !/[\r\t]|\n$|^\s/.test(value);

export const yamlOf = (value: unknown, indent = ""): string => {
  if (isBlock(value)) return block(value, indent);
  if (!isContainer(value)) return scalar(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return Array.isArray(value) ? "[]" : "{}";
  if (Array.isArray(value))
    return value
      .map(
        (item) =>
          `${indent}- ${isContainer(item) ? yamlOf(item, `${indent}  `).trimStart() : yamlOf(item, `${indent}  `)}`,
      )
      .join("\n");
  return entries
    .map(([key, item]) => {
      const isNested = isContainer(item) && Object.keys(item).length > 0;
      const text = yamlOf(item, `${indent}  `);
      return `${indent}${scalar(key)}:${isNested ? "\n" : " "}${text}`;
    })
    .join("\n");
};
