/** Two installations in one process know nothing of each other. */
import { expect, it } from "vitest";
import { startBuilder } from "./builder-fixture.ts";

it("a template that was started on one database can be started on another", async () => {
  const spec = { steps: [{ id: "say", action: "debug:log", input: { message: "hello" } }] };
  const first = await startBuilder();
  try {
    // Nobody drives its tasks here; a process that does has only what is in its database.
    const second = await startBuilder({ idle: true });
    try {
      for (const fixture of [first, second]) {
        fixture.addTemplate("greeting", spec);
        await fixture.instantiate("greeting");
        const { rows } = await fixture.db.database.pool.query<{ plans: number }>(
          "select count(*)::int as plans from instantiations i join template_plans p on p.hash = i.plan_hash",
        );
        expect(rows).toEqual([{ plans: 1 }]);
      }
    } finally {
      await second.close();
    }
  } finally {
    await first.close();
  }
});
