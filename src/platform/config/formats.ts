/** What the schema of the settings means by the formats that are ours. */
export const formats = { "http-url": isHttpUrl, "regular-expression": isRegularExpression };

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hostname } = new URL(text);
  return /^https?:$/.test(protocol) && hostname !== "" && username === "" && password === "";
}

function isRegularExpression(text: string): boolean {
  try {
    return new RegExp(text, "u") instanceof RegExp;
  } catch {
    return false;
  }
}
