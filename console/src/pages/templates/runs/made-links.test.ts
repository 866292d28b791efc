import { expect, it } from "vitest";
import { linksOf } from "./made-links.ts";
import { bodyOf, missingSecrets } from "./retry-secrets.ts";

it("leads to entities and repositories, each once, and follows no other address", () => {
  expect(
    linksOf({
      entityRef: "system:default/a",
      remoteUrl: "https://git.example/a.git",
      links: [
        { title: "Repository", url: "https://git.example/a.git" },
        { title: "Bad", url: "javascript:alert(1)" },
        { title: "Data", url: "data:text/html,x" },
        { title: "The lake", url: "https://example.com/lake" },
        { entityRef: "component:default/b" },
        "not a link",
      ],
    }),
  ).toEqual([
    { title: "system:default/a", entityRef: "system:default/a", url: null },
    { title: "Repository", entityRef: null, url: "https://git.example/a.git" },
    { title: "The lake", entityRef: null, url: "https://example.com/lake" },
    { title: "component:default/b", entityRef: "component:default/b", url: null },
  ]);
});

it("asks for the secrets that the server misses, and sends each where it belongs", () => {
  const problems = [{ where: "/secrets/token" }, { where: "/secretValues/~1values~1password" }];
  expect(missingSecrets({ problems })).toEqual(["/secrets/token", "/values/password"]);
  expect(bodyOf({ "/secrets/token": "t", "/values/password": "p" })).toEqual({
    secrets: { token: "t" },
    secretValues: { "/values/password": "p" },
  });
});
