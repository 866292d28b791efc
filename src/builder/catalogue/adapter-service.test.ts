import { expect, it } from "vitest";
import { checkRegistration } from "./adapter-service.ts";

const sound = {
  id: "urn:dmb:itm:postgres-storage:1",
  name: "Storage",
  description: "Tables",
  version: "1",
  url: "http://adapter:8080",
  environment: "development",
};
const rules = {
  environments: ["development", "production"],
  checkUrl: (url: string) =>
    url.includes("169.254") ? { where: "url", message: "Refused by policy." } : null,
};

it.each<[string, Record<string, unknown>, string[]]>([
  ["a sound one", {}, []],
  ["a version with dots", { id: "urn:dmb:itm:a:1.2.3", version: "1.2.3" }, []],
  ["versions compare as texts", { id: "urn:dmb:itm:a:1", version: "1.0" }, ["/version"]],
  ["a leading zero counts", { id: "urn:dmb:itm:a:01", version: "1" }, ["/version"]],
  ["another kind of URN", { id: "urn:dmb:utm:a:1" }, ["/id"]],
  ["too many parts", { id: "urn:dmb:itm:a:b:1" }, ["/id"]],
  ["an empty part", { id: "urn:dmb:itm::1" }, ["/id"]],
  ["white space", { id: "urn:dmb:itm:a b:1" }, ["/id"]],
  ["an environment in capitals", { environment: "Development" }, ["/environment"]],
  ["no URL", { url: "adapter:8080/x y" }, ["/url"]],
  ["another scheme", { url: "ftp://adapter" }, ["/url"]],
  ["a file", { url: "file:///etc/passwd" }, ["/url"]],
  ["an address that the policy refuses", { url: "http://169.254.169.254/" }, ["/url"]],
  ["all at once", { id: "x:2", url: "x", environment: "y" }, ["/id", "/version", "/environment", "/url"]],
  ["fields of other types are left to the schema", { id: 1, version: 2, url: null, environment: [] }, []],
])("%s", (_case, changes, where) => {
  expect(checkRegistration({ ...sound, ...changes }, rules).map((problem) => problem.where)).toEqual(where);
});
