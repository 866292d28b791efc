import { describe, expect, it } from "vitest";
import { isSecretName, maskCredentials, mayBeSecretName, withoutSecrets } from "./secret-names.ts";

const secret = [
  "password",
  "Password",
  "PASSWORD",
  "passwd",
  "db_passwd",
  "pwd",
  "dbPwd",
  "userpassword",
  "dbPassword2",
  "password_hash",
  "passphrase",
  "keyPassphrase",
  "secret",
  "clientSecret",
  "client_secret",
  "CLIENT-SECRET",
  "secrets",
  "secret_value",
  "token",
  "accessToken",
  "access_tokens",
  "refreshtoken",
  "x-vault-token",
  "tokenValue",
  "authorization",
  "Proxy-Authorization",
  "authorisation",
  "cookie",
  "Set-Cookie",
  "cookies",
  "signature",
  "x-hub-signature-256",
  "sig",
  "sas",
  "SASToken",
  "jwt",
  "otp",
  "credential",
  "awsCredentials",
  "creds",
  "apikey",
  "apiKey",
  "api_key",
  "api-key",
  "API_KEY_1",
  "x-api-key",
  "Ocp-Apim-Subscription-Key",
  "x-functions-key",
  "private_key",
  "privateKeyPem",
  "sshKey",
  "AccountKey",
  "connectionString",
  "connection_string",
  "bearer",
  "x".repeat(300),
];

const harmless = [
  "",
  "name",
  "token_count",
  "tokens",
  "max_tokens",
  "maxTokens",
  "maxtokens",
  "prompt_tokens",
  "contextTokens",
  "token_limit",
  "tokenBudget",
  "token_type",
  "tokenUrl",
  "tokenizer",
  "signature_algorithm",
  "password_policy",
  "passwordMinLength",
  "secretName",
  "secret_ref",
  "secretary",
  "author",
  "authors",
  "authority",
  "key",
  "keys",
  "primaryKey",
  "partition_key",
  "platform_key",
  "idempotencyKey",
  "keyChanged",
  "monkey",
  "design",
  "assigned",
  "signal",
  "passed",
  "bypass",
  "compass",
  "patience",
  "path",
  "session_id",
  "description",
];

/** Only the wide net takes them. */
const wide = [
  "key",
  "keys",
  "partition_key",
  "auth",
  "x-auth",
  "oauth",
  "pass",
  "pin",
  "headers",
  "custom_header",
  "payload",
  "session_id",
  "token_type",
  "password_policy",
];

describe("names of secrets", () => {
  it.each(secret)("%s is one", (name) => {
    expect([isSecretName(name), mayBeSecretName(name)]).toEqual([true, true]);
  });
  it.each(harmless)("%j is none", (name) => {
    expect(isSecretName(name)).toBe(false);
  });
  it.each(wide)("%s may be one", (name) => {
    expect([isSecretName(name), mayBeSecretName(name)]).toEqual([false, true]);
  });
  it.each(["max_tokens", "tokens", "token_count", "author", "authors", "name", "model", "passed", "compass"])(
    "%s can't be one",
    (name) => {
      expect(mayBeSecretName(name)).toBe(false);
    },
  );
});

it("values under such names are hidden with all that lies below them; nothing and booleans stay", () => {
  expect(
    withoutSecrets({
      url: "https://me:hush@db/x",
      list: [{ client_secret: { deep: ["hush"] }, max_tokens: 5 }],
      pin: 1,
      expiresAt: new Date(0),
      token: 123,
      password: "",
      secret: null,
      need_token: true,
      algorithm: "x",
      signature_algorithm: "RS256",
    }),
  ).toEqual({
    url: "https://***@db/x",
    list: [{ client_secret: "***", max_tokens: 5 }],
    pin: 1,
    expiresAt: "1970-01-01T00:00:00.000Z",
    token: "***",
    password: "",
    secret: null,
    need_token: true,
    algorithm: "x",
    signature_algorithm: "RS256",
  });
});

it.each([
  ["jdbc:x://db;user=ada;password=hush;ssl=1", "jdbc:x://db;user=ada;password=***;ssl=1"],
  ["AccountName=a;AccountKey=aHVzaA==;x=1", "AccountName=a;AccountKey=***;x=1"],
  ["https://a.test/?api_key=hush&q=1", "https://a.test/?api_key=***&q=1"],
  ["Bearer abcdef.ghijkl.mnopqr", "Bearer ***"],
  ["the bearer of news, basic information", "the bearer of news, basic information"],
  [
    "-----BEGIN RSA PRIVATE KEY-----\nMIIhush\n-----END RSA PRIVATE KEY-----",
    "-----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----",
  ],
  ["nothing of it", "nothing of it"],
])("%s is shown as %s", (given, shown) => {
  expect(maskCredentials(given)).toBe(shown);
});
