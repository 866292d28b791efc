import { Alert, Button, Group, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { PlinthError } from "plinth-client";
import { lazy, Suspense, useState, type ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { useHasRole } from "../../../api/session.ts";
import { Icon } from "../../../parts/page/icon.tsx";
import { Loaded, LoadingView } from "../../../parts/states/views.tsx";
import { componentNameOf, countOf } from "../names.ts";
import { ChangesTable } from "../preview/changes-table.tsx";
import { movedChanges, summaryOf } from "../preview/changes.ts";
import { PreviewNotes, type Preview } from "../preview/preview-notes.tsx";
import { ProtectedData } from "../preview/protected-data.tsx";
import { StartRefusal, type Closing } from "../preview/start-refusal.tsx";
import { useRefusal } from "../preview/use-refusal.ts";
import { componentsOf, type Descriptor } from "./descriptor.ts";
import { deployedQuery, previewQuery, type StartRequest } from "./queries.ts";
import { previewViews, type PreviewView } from "./words.ts";

const PreviewGraph = lazy(() =>
  import("../preview/preview-graph.tsx").then((module) => ({ default: module.PreviewGraph })),
);
const DescriptorDiff = lazy(() =>
  import("../preview/descriptor-diff.tsx").then((module) => ({ default: module.DescriptorDiff })),
);

const route = getRouteApi("/provision");

interface PreviewSectionProps {
  descriptor: Descriptor;
  environment: string;
  absent: ReadonlySet<string>;
  removeData: boolean;
  preventRedeploy: boolean;
}

/** What a start would change, and the start of exactly that. */
export const PreviewSection = (props: PreviewSectionProps): ReactNode => {
  const { descriptor, environment, absent, removeData, preventRedeploy } = props;
  const [confirmed, setConfirmed] = useState<readonly string[]>([]);
  const body: StartRequest = {
    descriptor,
    targetStatus: componentsOf(descriptor).map(({ id }) => ({
      componentId: id,
      targetStatus: absent.has(id) ? "NOT_DEPLOYED" : "DEPLOYED",
    })),
    removeData: removeData && absent.size > 0,
    preventRedeploy,
    ...(confirmed.length > 0 && { confirmDataRemoval: [...confirmed] }),
  };
  const query = useQuery({ ...previewQuery(environment, body), placeholderData: keepPreviousData });
  return (
    <section aria-labelledby="preview">
      <Title order={2} id="preview" mb="xs">
        Preview
      </Title>
      <Loaded query={query} what="preview this">
        {(preview) => (
          <Stack gap="sm">
            <PreviewNotes preview={preview} environment={environment} />
            {preview.protectedData !== undefined && (
              <ProtectedData ids={preview.protectedData} confirmed={confirmed} onConfirm={setConfirmed} />
            )}
            <Start
              preview={preview}
              body={body}
              environment={environment}
              isOutdated={query.isPlaceholderData}
              previewAgain={async () => (await query.refetch()).data}
            />
          </Stack>
        )}
      </Loaded>
    </section>
  );
};

interface StartProps {
  preview: Preview;
  body: StartRequest;
  environment: string;
  /** The preview of a choice before this one, shown until its own is there. */
  isOutdated: boolean;
  previewAgain: () => Promise<Preview | undefined>;
}

const Start = ({ preview, body, environment, isOutdated, previewAgain }: StartProps): ReactNode => {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const mayStart = useHasRole("developer", "operator", "admin", "service");
  const [moved, setMoved] = useState<ReadonlySet<string> | null>(null);
  const unitId = String(body.descriptor["id"]);
  const start = useMutation({
    mutationFn: (closing: Closing) =>
      call(
        api.coordinator.POST("/api/coordinator/v2/deployment-units/{deployment-unit-id}/provisioning", {
          params: { path: { "deployment-unit-id": unitId }, query: { environment, ...closing } },
          body: {
            ...body,
            // With the targets that the preview added for components that the descriptor no longer has.
            targetStatus: preview.operations.map(({ componentId, targetStatus }) => ({
              componentId,
              targetStatus,
            })),
            planHash: preview.planHash,
          },
        }),
      ),
    onSuccess: async (planId) => {
      void queries.invalidateQueries({ queryKey: keys.operations });
      await navigate({ to: "/plans/$planId", params: { planId }, search: { env: environment } });
    },
    onError: async (error) => {
      if (!hasMoved(error)) return;
      const next = await previewAgain();
      setMoved(next === undefined ? new Set() : movedChanges(preview.operations, next.operations));
    },
  });
  const changes = preview.operations.filter(({ action }) => action !== "NONE").length;
  const refusal = useRefusal(start);
  const isPinned = hasMoved(refusal);
  return (
    <>
      {isPinned && moved !== null && <Moved moved={moved} />}
      <Changes
        preview={preview}
        unitId={unitId}
        environment={environment}
        descriptor={body.descriptor}
        moved={moved}
      />
      {refusal !== null && !isPinned && (
        <StartRefusal
          error={refusal}
          what="start it"
          environment={environment}
          isBusy={start.isPending}
          canQueue
          onClosed={(closing) => start.mutate(closing)}
        />
      )}
      <Group gap="sm">
        <Button
          variant="filled"
          size="sm"
          loading={start.isPending}
          disabled={isOutdated || !mayStart || isRefused(preview) || changes === 0}
          onClick={() => {
            setMoved(null);
            start.mutate({});
          }}
        >
          {changes === 0 ? "Nothing to start" : `Start ${countOf(changes, "change")}`}
        </Button>
        <Text size="xs" c="dimmed">
          {mayStart
            ? `Starts exactly this plan in ${environment}; if it is another one by then, it is shown again.`
            : "Developers and operators may start it."}
        </Text>
      </Group>
    </>
  );
};

const hasMoved = (error: unknown): boolean =>
  error instanceof PlinthError && error.code === "COORD_PLAN_MOVED";

const isRefused = ({ outcome, permission, protectedData, policyResults = [] }: Preview): boolean =>
  outcome === "KO" ||
  permission?.verdict === "deny" ||
  protectedData !== undefined ||
  policyResults.some(({ status }) => status === "FAILED");

const Moved = ({ moved }: { moved: ReadonlySet<string> }): ReactNode => (
  <Alert
    color="warn"
    icon={<Icon name="warning" />}
    title="The plan is another one now, so nothing was started"
  >
    {moved.size === 0
      ? "What the unit or its policies are has changed since the preview; the changes are the same. "
      : `Since the preview the state of the unit has changed: ${[...moved].map(componentNameOf).join(", ")}. `}
    This is the plan as it is now. Look at it and start it again.
  </Alert>
);

const viewWords: Record<PreviewView, string> = { changes: "Changes", graph: "Graph", diff: "Descriptor" };

interface ChangesProps {
  preview: Preview;
  unitId: string;
  environment: string;
  descriptor: Record<string, unknown>;
  moved: ReadonlySet<string> | null;
}

const Changes = ({ preview, unitId, environment, descriptor, moved }: ChangesProps): ReactNode => {
  const { view = "changes" } = route.useSearch();
  const navigate = route.useNavigate();
  const deployed = useQuery({ ...deployedQuery(unitId, environment), enabled: view === "diff" });
  return (
    <>
      <Group gap="sm">
        <SegmentedControl
          size="xs"
          aria-label="Show"
          value={view}
          data={previewViews.map((value) => ({ value, label: viewWords[value] }))}
          onChange={(value) =>
            void navigate({
              search: (old) => ({ ...old, view: value === "changes" ? undefined : (value as PreviewView) }),
              replace: true,
            })
          }
        />
        <Text size="sm" c="dimmed">
          {summaryOf(preview.operations)}
        </Text>
      </Group>
      {view === "changes" && (
        <ChangesTable
          label="Planned changes"
          changes={preview.operations}
          {...(moved !== null && { moved })}
        />
      )}
      {view === "graph" && (
        <Suspense fallback={<LoadingView label="Loading the graph" />}>
          <PreviewGraph changes={preview.operations} />
        </Suspense>
      )}
      {view === "diff" && (
        <Loaded query={deployed} what="read what is deployed">
          {(now) => (
            <Suspense fallback={<LoadingView label="Loading the comparison" />}>
              <DescriptorDiff before={now.descriptor} after={descriptor} environment={environment} />
            </Suspense>
          )}
        </Loaded>
      )}
    </>
  );
};
