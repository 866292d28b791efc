import { Code, List, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import type { ReactNode } from "react";
import { Loaded } from "../../../parts/states/views.tsx";
import { WaitingReason } from "../../../parts/states/waiting-reason.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { shortId } from "../names.ts";
import classes from "./drift.module.css";
import { driftCheckQuery } from "./queries.ts";

type Check = CoordinatorComponents["schemas"]["DriftCheckSummary"];
type OfComponent = CoordinatorComponents["schemas"]["DriftOfComponent"];

/** What a check found, component by component, with where it differs. */
export const CheckResult = ({ check }: { check: Check }): ReactNode => (
  <Stack gap="xs" className={classes["result"]}>
    {check.waiting !== null && (
      <WaitingReason reason={check.waiting.reason} since={check.waiting.since} until={null} />
    )}
    <Loaded query={useQuery(driftCheckQuery(check.id, check.status === "COMPLETED"))} what="read this check">
      {({ components, status }) =>
        components.length === 0 ? (
          <Text size="sm" c="dimmed">
            {status === "COMPLETED" ? "It had no component to check." : "It is at work."}
          </Text>
        ) : (
          components
            .toSorted((a, b) => ranks.indexOf(a.result) - ranks.indexOf(b.result))
            .map((component) => <ComponentResult key={component.componentId} component={component} />)
        )
      }
    </Loaded>
  </Stack>
);

const ranks: readonly string[] = ["DRIFTED", "UNKNOWN", "NO_DRIFT"];

const ComponentResult = ({ component }: { component: OfComponent }): ReactNode => {
  const { componentId, result, why, pointers, problems } = component;
  return (
    <div className={classes["component"]}>
      <Text size="sm" component="div">
        <StatusBadge status={result} /> <b title={componentId}>{shortId(componentId)}</b>{" "}
        {result !== "NO_DRIFT" && why}
      </Text>
      {pointers.length > 0 && (
        <Text size="xs" component="div" mt={2}>
          {pointers.map((pointer) => (
            <Code key={pointer} mr={4}>
              {pointer}
            </Code>
          ))}
        </Text>
      )}
      {problems.length > 0 && (
        <List size="sm" spacing={2}>
          {problems.map((problem) => (
            <List.Item key={problem}>{problem}</List.Item>
          ))}
        </List>
      )}
    </div>
  );
};
