import { expect, test } from "vitest";
import { inspect } from "../testdata.ts";

const found = (servers: string) => inspect(`assistant: {mcpServers: ${servers}}`);
const secret = "s".repeat(32);

const cases: [string, string, RegExp[]][] = [
  ["our own name", "[{name: platform, url: 'http://x'}]", [/\[0\]\.name repeats a name/]],
  ["a repeated name", "[{name: a, url: 'http://x'}, {name: a, url: 'http://y'}]", [/\[1\]\.name repeats/]],
  ["no address", "[{name: a}]", [/\[0\]\.url is missing/]],
  ["no program", "[{name: a, transport: stdio}]", [/\[0\]\.command is missing/]],
  [
    "a program with an address",
    "[{name: a, transport: stdio, command: x, url: 'http://x'}]",
    [/url has no mean/],
  ],
  ["an address with a program", "[{name: a, url: 'http://x', command: x}]", [/command has no meaning/]],
  [
    "two ways to show who calls",
    `[{name: a, url: 'http://x', token: t, userIdentity: {secret: ${secret}}}]`,
    [/userIdentity can't go together with token/],
  ],
  [
    "a header over two lines",
    "[{name: a, url: 'http://x', headers: {a: \"b\\nc\"}}]",
    [/is no header that HTTP/],
  ],
  ["an unknown transport", "[{name: a, transport: pigeon, url: 'http://x'}]", [/must be one of/]],
];
test.each(cases)("an MCP server with %s", (...[, servers, expected]) => {
  const reported = found(servers).problems.map(({ where, message }) => `${where} ${message}`);
  expect(reported).toHaveLength(expected.length);
  for (const [index, pattern] of expected.entries()) expect(reported[index]).toMatch(pattern);
});

test("a short secret is a warning", () => {
  const { problems, warnings } = found("[{name: a, url: 'http://x', userIdentity: {secret: short}}]");
  expect([problems, warnings.map(({ message }) => message)]).toEqual([
    [],
    [expect.stringMatching(/shorter than 32/)],
  ]);
});
