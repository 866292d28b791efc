import { Alert, Group, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { useEventStream } from "../../../api/event-stream.ts";
import { keys } from "../../../api/keys.ts";
import { Icon } from "../../../parts/page/icon.tsx";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { LiveBadge } from "../../../parts/states/connection.tsx";
import { Loaded } from "../../../parts/states/views.tsx";
import { WaitingReason } from "../../../parts/states/waiting-reason.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { Duration, TimeAgo } from "../../../parts/values/times.tsx";
import { isRecord } from "../form/json.ts";
import { instantiationQuery, type Instantiation } from "../queries.ts";
import { EditResult } from "./edit-result.tsx";
import { OutputLinks } from "./output-links.tsx";
import { Inputs } from "./inputs.tsx";
import { RunActions } from "./run-actions.tsx";
import { createRunLog } from "./run-log.ts";
import { RunSteps } from "./run-steps.tsx";

const route = getRouteApi("/instantiations/$taskId");
const waitingMs = 5000;
const atWorkMs = 15_000;

export const InstantiationPage = (): ReactNode => {
  const { taskId } = route.useParams();
  const query = useQuery({
    ...instantiationQuery(taskId),
    // Why it waits is not told by the stream.
    refetchInterval: ({ state: { data } }) => {
      if (data?.waiting != null) return waitingMs;
      return data !== undefined && isAtWork(data) ? atWorkMs : false;
    },
    // The title of a hidden tab, which follows no stream, says how the run ended.
    refetchIntervalInBackground: true,
  });
  if (query.data === undefined)
    return (
      <>
        <PageHeader title="Template run" />
        <Loaded query={query} what="read this run" who="its starter and operators">
          {() => null}
        </Loaded>
      </>
    );
  return <Run key={taskId} run={query.data} />;
};

const isAtWork = ({ status }: Instantiation): boolean => status === "open" || status === "processing";

const Run = ({ run }: { run: Instantiation }): ReactNode => {
  const { id, title, status, createdBy, createdAt, startedAt, endedAt, waiting, templateRef } = run;
  const [log] = useState(createRunLog);
  const [after, setAfter] = useState<string>();
  const queries = useQueryClient();
  const readAgain = (): Promise<void> =>
    queries.invalidateQueries({ queryKey: [...keys.instantiations, id] });
  const live = useEventStream({
    // A retry goes on under the same id: another path opens the stream again.
    path: `/api/builder/templates/tasks/${encodeURIComponent(id)}/eventstream${after === undefined ? "" : `?after=${after}`}`,
    onEvents: (events) => {
      if (log.add(events)) void readAgain();
    },
    onEnd: () => void readAgain(),
  });
  const works = isAtWork(run);
  return (
    <>
      <PageHeader
        title={title}
        documentTitle={`${title}, ${status}`}
        description={
          <Group gap="xs">
            <StatusBadge status={status} />
            {works && <LiveBadge state={live} />}
            <span>
              by {createdBy}, <TimeAgo at={createdAt} />
            </span>
            {startedAt !== null && (
              <span>
                {works ? "for" : "took"} <Duration from={startedAt} to={endedAt} />
              </span>
            )}
            <PageLink to="/catalogue/$entityRef" params={{ entityRef: templateRef }}>
              {templateRef}
            </PageLink>
          </Group>
        }
        actions={
          <RunActions
            run={run}
            onRetried={() => {
              setAfter(log.lastId() ?? "0");
              void readAgain();
            }}
          />
        }
      />
      <Stack gap="lg">
        {waiting !== null && <WaitingReason reason={waiting} since={createdAt} until={null} />}
        <Failure run={run} />
        {status === "completed" && <OutputLinks output={run.output} />}
        <EditResult run={run} />
        <RunSteps run={run} log={log} />
        <Inputs run={run} />
      </Stack>
    </>
  );
};

/** Of a run that ended without a failed step, as where its output could not be rendered. */
const Failure = ({ run: { error, steps, status } }: { run: Instantiation }): ReactNode => {
  if (status === "cancelled")
    return (
      <Alert color="gray" icon={<Icon name="close" />} title="It was cancelled">
        Steps that were done stay done. A retry goes on after them.
      </Alert>
    );
  if (error === null || steps.some((step) => isRecord(step) && step.status === "failed")) return null;
  return (
    <Alert color="bad" icon={<Icon name="warning" />} title="It failed after its steps" role="alert">
      <Text size="sm">{error}</Text>
    </Alert>
  );
};
