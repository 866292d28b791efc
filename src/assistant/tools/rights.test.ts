import { expect, it } from "vitest";
import { createPlatformTools } from "./toolbox.ts";

const tools = createPlatformTools(() => Promise.reject(new Error("not called")));
const actor = (role: "viewer" | "admin") => ({ ref: "user:default/some", roles: [role], provider: "test" });

it("every tool that changes something says which rule it needs", () => {
  const changing = tools.list().filter(({ destructive }) => destructive);
  expect(changing.length).toBeGreaterThan(3);
  const unchecked = changing.filter(
    ({ name }) => tools.refusal({ ...actor("viewer"), roles: [] }, name) === null,
  );
  expect(unchecked.map(({ name }) => name)).toEqual([]);
});

it("names the roles that would do", () => {
  expect(tools.refusal(actor("admin"), "start_provisioning")).toBeNull();
  expect(tools.refusal(actor("viewer"), "start_provisioning")).toMatch(
    /^the user may not call start_provisioning: startProvisioning needs one of these roles: developer,/,
  );
});
