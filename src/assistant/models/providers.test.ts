import { expect, it } from "vitest";
import { isSameDestination, providerOf } from "./providers.ts";

const place = { provider: "azure", endpoint: "https://a.test/openai", deployment: "chat" };

it.each([
  ["the same", {}, true],
  ["an alias of the provider", { provider: "azure_openai" }, true],
  ["another spelling of the address", { endpoint: " HTTPS://A.test:443/x/../openai// " }, true],
  ["spaces about the deployment", { deployment: " chat " }, true],
  ["another provider", { provider: "openai" }, false],
  ["no provider", { provider: "" }, false],
  ["another host", { endpoint: "https://b.test/openai" }, false],
  ["a host with a dot at its end", { endpoint: "https://a.test./openai" }, false],
  ["another port", { endpoint: "https://a.test:8443/openai" }, false],
  ["another scheme", { endpoint: "http://a.test/openai" }, false],
  ["another path", { endpoint: "https://a.test/openai2" }, false],
  ["the provider's own address", { endpoint: "" }, false],
  ["another deployment", { deployment: "Chat" }, false],
])("%s", (_what, more, isSame) => {
  expect(isSameDestination(place, { ...place, ...more })).toBe(isSame);
  expect(isSameDestination({ ...place, ...more }, place)).toBe(isSame);
});

it.each([
  ["azure", "azure_openai"],
  ["google", "google"],
  ["", null],
  ["constructor", null],
])("the provider of %j is %j", (name, expected) => expect(providerOf(name)).toBe(expected));
