import assert from "node:assert/strict";
import { warnOfMissingContacts } from "../support/seed-approvals.ts";
import type { Story } from "../support/story.ts";

const policies = "/v1/computational-governance/policies";

export const story: Story = {
  title:
    "a version of a policy that was saved while another one was written is shown beside it, and followed by it",
  async tell({ server, open }) {
    const { guest } = server;
    const policy = await warnOfMissingContacts(server, "ferry-piers");
    const page = await open(`/policies/${policy}?tab=versions`, { expected: ["409"] });
    await page.getByRole("button", { name: "New version …" }).click();
    const editor = page.getByRole("textbox", { name: "Policy as YAML" });
    const text = `name: Written here
severity: error
resourceType: dataproduct
engine: cel
spec:
  assert: has(resource.contact)
timing: deployment
trigger: active
`;
    await editor.fill(text);
    const { name: _, ...others } = contentOf(await guest.call("GET", `${policies}/${policy}`));
    await guest.call("PUT", `${policies}/${policy}`, { ...others, name: "Written elsewhere" });

    await page.getByRole("button", { name: "Save version 3" }).click();
    const conflict = page.getByRole("alert").filter({ hasText: "Version 3 was saved while you edited" });
    await conflict
      .getByRole("textbox", { name: /before$/ })
      .getByText("Written elsewhere")
      .waitFor();
    await conflict
      .getByRole("textbox", { name: /after$/ })
      .getByText("Written here")
      .waitFor();
    await conflict.getByRole("button", { name: "Go on with mine on version 3" }).click();
    await page.getByRole("button", { name: "Save version 4" }).click();
    await page.getByRole("heading", { level: 1, name: "Written here" }).waitFor();
    const saved = await guest.call("GET", `${policies}/${policy}`);
    assert.deepEqual([saved.version, saved.name, saved.severity], [4, "Written here", "error"]);
  },
};

/** What is written of a policy, with the version that it is made of. */
function contentOf(policy: Record<string, unknown>): Record<string, unknown> {
  const read =
    /^(?:id|status|graceUntil|environment|interactionType|externalUrl|governanceAgentSpec|(?:created|updated)(?:At|By))$/;
  return Object.fromEntries(Object.entries(policy).filter(([key]) => !read.test(key)));
}
