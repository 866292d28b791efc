import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { personOf } from "../names.ts";
import type { OperationRow } from "./operations-page.tsx";

/** In one line: why it waits, who can act and until when; why it failed; or how many of its tasks are done. */
export const OperationState = ({ row }: { row: OperationRow }): ReactNode => {
  const { waitsFor, failure, progress, operation } = row;
  if (waitsFor)
    return (
      <Text span size="sm" title={waitsFor.reason}>
        {waitsFor.reason}
        <Text span size="xs" c="dimmed">
          {waitsFor.kind === "APPROVAL" &&
            ` Can act: ${[...waitsFor.who.map(personOf), "operators"].join(", ")}.`}
          {waitsFor.until !== null && (
            <>
              {" "}
              Until <TimeAgo at={waitsFor.until} />.
            </>
          )}
        </Text>
      </Text>
    );
  if (failure && operation.status === "FAILED")
    return (
      <Text span size="sm" c="bad" title={failure}>
        {failure}
      </Text>
    );
  if (!progress || progress.total === 0) return "–";
  return (
    <Text span size="sm" className="tabular">
      {progress.completed} of {progress.total} tasks
      {progress.failed > 0 && `, ${progress.failed} not completed`}
      {progress.running > 0 && `, ${progress.running} at work`}
    </Text>
  );
};
