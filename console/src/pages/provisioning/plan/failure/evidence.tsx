import { Accordion } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Loaded } from "../../../../parts/states/views.tsx";
import { useNextPage } from "../../../../parts/tables/next-page.ts";
import { CodeView } from "../../../../parts/values/code-view.tsx";
import { LogLines } from "../log/log-lines.tsx";

import type { PlanNode } from "../model/plan-nodes.ts";
import { planDescriptorsQuery, planLogQuery } from "../queries.ts";
import type { LivePlan } from "../use-plan.ts";

interface EvidenceProps {
  plan: LivePlan;
  node: PlanNode;
  componentId: string | null;
}

/** What was sent and what came back, as far as the interface shows it: the descriptor, and the task's own log. */
export const Evidence = ({ plan, node }: EvidenceProps): ReactNode => {
  const [open, setOpen] = useState<string[]>(node.status === "FAILED" ? ["log"] : []);
  return (
    <Accordion
      multiple
      variant="default"
      value={open}
      onChange={setOpen}
      order={3}
      styles={{ control: { paddingInline: 0 }, content: { paddingInline: 0 }, label: { paddingBlock: 6 } }}
    >
      <Accordion.Item value="log">
        <Accordion.Control>What came back: its log</Accordion.Control>
        <Accordion.Panel>{open.includes("log") && <TaskLog plan={plan} node={node} />}</Accordion.Panel>
      </Accordion.Item>
      <Accordion.Item value="sent">
        <Accordion.Control>What was sent: its descriptor</Accordion.Control>
        <Accordion.Panel>{open.includes("sent") && <Sent plan={plan} node={node} />}</Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
};

const TaskLog = ({ plan, node }: { plan: LivePlan; node: PlanNode }): ReactNode => {
  const query = useInfiniteQuery(planLogQuery(plan.planId, { taskId: node.id }));
  const next = useNextPage(query);
  return (
    <Loaded query={query} what="read the log of the task">
      {({ pages }) => (
        <LogLines
          label={`Log of ${node.name}`}
          lines={pages.flatMap(({ lines }) => lines)}
          height="14rem"
          withTask={false}
          next={next}
        />
      )}
    </Loaded>
  );
};

const Sent = ({ plan, node }: { plan: LivePlan; node: PlanNode }): ReactNode => (
  <Loaded query={useQuery(planDescriptorsQuery(plan.planId))} what="read what was sent">
    {(descriptors) => (
      <CodeView
        code={descriptors.get(node.id) ?? "Nothing is stored of what was sent for this task."}
        label={`Descriptor of ${node.name}`}
        maxHeight="20rem"
      />
    )}
  </Loaded>
);
