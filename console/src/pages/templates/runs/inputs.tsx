import { Title } from "@mantine/core";
import type { ReactNode } from "react";
import { isRecord } from "../form/json.ts";
import type { Instantiation } from "../queries.ts";
import { ValueList } from "../wizard/value-list.tsx";

const none = new Map<string, Record<string, unknown>>();

/** What the run was given; the server has masked secrets. */
export const Inputs = ({ run }: { run: Instantiation }): ReactNode => (
  <section aria-label="Values">
    <Title order={2} mb="xs">
      Values
    </Title>
    <ValueList fields={none} values={run.parameters} />
    {Object.entries(run.environmentOverrides).map(([environment, own]) => (
      <div key={environment}>
        <Title order={3} mt="sm" mb={4}>
          In {environment}
        </Title>
        <ValueList fields={none} values={isRecord(own) ? own : {}} />
      </div>
    ))}
  </section>
);
