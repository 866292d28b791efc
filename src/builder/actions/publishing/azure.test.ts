import { expect, it } from "vitest";
import { parseTarget } from "../../catalogue/sources/target.ts";
import { fileIn } from "../catalog-register.ts";
import { azure } from "./azure.ts";

const remoteUrl = "https://dev.azure.com/acme/sea/_git/ship";

it.each([
  ["", remoteUrl, "catalog-info.yaml", null],
  ["apps/x y", `${remoteUrl}?path=/apps/x%20y&version=GBmain`, "apps/x y/catalog-info.yaml", "main"],
])("puts out the folder %j as catalog:register reads it", (folder, url, path, ref) => {
  const contents = azure.contentsUrl({ remoteUrl, webUrl: "", id: "" }, { branch: "main", folder });
  expect(contents).toBe(url);
  const target = { type: "url", target: fileIn(contents, "catalog-info.yaml") } as const;
  expect(parseTarget(target, { ownUrl: "https://own.example", hostKind: () => "azure" })).toMatchObject({
    kind: "git",
    path,
    ref,
  });
});
