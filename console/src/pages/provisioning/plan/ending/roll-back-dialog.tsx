import { Button, Checkbox, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { CoordinatorComponents } from "plinth-client";
import { useState, type ReactNode } from "react";
import { api } from "../../../../api/client.ts";
import { call } from "../../../../api/error.ts";
import { keys } from "../../../../api/keys.ts";
import { Loaded } from "../../../../parts/states/views.tsx";
import { momentText } from "../../../../parts/values/text.ts";
import { ChangesTable } from "../../preview/changes-table.tsx";
import { PreviewNotes, type Preview } from "../../preview/preview-notes.tsx";
import { ProtectedData } from "../../preview/protected-data.tsx";
import { canRollBack, rollbackBody } from "../../preview/rollback-start.ts";
import { StartRefusal, type Closing } from "../../preview/start-refusal.tsx";
import { useRefusal } from "../../preview/use-refusal.ts";
import { personOf } from "../../names.ts";
import { rollbackTargetsQuery } from "../queries.ts";

type Request = CoordinatorComponents["schemas"]["RollbackRequest"];

interface RollBackDialogProps {
  unitId: string;
  environment: string;
  /** Rolling back to itself changes nothing, so it is not offered first. */
  planId: string;
  opened: boolean;
  onClose: () => void;
}

/** To which earlier operation, what that will change, and its start pinned to what was shown. */
export const RollBackDialog = ({ opened, onClose, ...target }: RollBackDialogProps): ReactNode => (
  <Modal opened={opened} onClose={onClose} title="Roll back" size="xl">
    {opened && <Body {...target} onClose={onClose} />}
  </Modal>
);

const Body = (props: Omit<RollBackDialogProps, "opened">): ReactNode => {
  const { unitId, environment, planId, onClose } = props;
  const query = useQuery(rollbackTargetsQuery(unitId, environment));
  const [chosen, setChosen] = useState<string | null>(null);
  const [removeData, setRemoveData] = useState(false);
  return (
    <Loaded query={query} what="list what one can roll back to">
      {({ data }) => {
        const targets = data
          .map(({ operation }) => operation)
          .filter(({ executionPlanId }) => executionPlanId !== planId);
        if (targets.length === 0)
          return <Text size="sm">No earlier operation of this unit succeeded in {environment}.</Text>;
        const target = chosen ?? targets[0]?.executionPlanId ?? "";
        return (
          <Stack gap="sm">
            <Select
              label="To what was deployed by"
              value={target}
              onChange={setChosen}
              data={targets.map(({ executionPlanId, descriptorVersion, startTime, originatorUri }) => ({
                value: executionPlanId,
                label: `${descriptorVersion}, ${momentText(Date.parse(startTime))}, ${personOf(originatorUri)}`,
              }))}
            />
            <Checkbox
              size="xs"
              label="Remove the data of components that are undeployed"
              checked={removeData}
              onChange={({ currentTarget }) => setRemoveData(currentTarget.checked)}
            />
            <RollbackPreview
              // What is confirmed is confirmed for this target alone.
              key={`${target} ${removeData}`}
              unitId={unitId}
              environment={environment}
              body={{ executionPlanId: target, removeData, preventRedeploy: true }}
              onClose={onClose}
            />
          </Stack>
        );
      }}
    </Loaded>
  );
};

const previewQuery = (unitId: string, environment: string, body: Request) =>
  queryOptions({
    queryKey: [...keys.unit(unitId), "rollback-preview", environment, body],
    staleTime: 0,
    retry: false,
    queryFn: ({ signal }) =>
      call(
        api.coordinator.POST(
          "/api/coordinator/v2/deployment-units/{deployment-unit-id}/provisioning/rollback/preview",
          { params: { path: { "deployment-unit-id": unitId }, query: { environment } }, body, signal },
        ),
      ),
  });

interface RollbackPreviewProps {
  unitId: string;
  environment: string;
  body: Request;
  onClose: () => void;
}

const RollbackPreview = ({ unitId, environment, body, onClose }: RollbackPreviewProps): ReactNode => {
  const query = useQuery(previewQuery(unitId, environment, body));
  const navigate = useNavigate();
  const [confirmed, setConfirmed] = useState<readonly string[]>([]);
  const start = useMutation({
    mutationFn: ({ closing, wanted }: { closing: Closing; wanted: Request }) =>
      call(
        api.coordinator.POST(
          "/api/coordinator/v2/deployment-units/{deployment-unit-id}/provisioning/rollback",
          {
            params: { path: { "deployment-unit-id": unitId }, query: { environment, ...closing } },
            body: wanted,
          },
        ),
      ),
    onSuccess: (planId) => navigate({ to: "/plans/$planId", params: { planId } }),
  });
  const refusal = useRefusal(start);
  const begin = (preview: Preview, closing: Closing): void =>
    start.mutate({ closing, wanted: rollbackBody(body, preview, confirmed) });
  return (
    <Loaded query={query} what="preview the rollback">
      {(preview) => (
        <Stack gap="sm">
          <PreviewNotes preview={preview} environment={environment} />
          {preview.protectedData !== undefined && (
            <ProtectedData ids={preview.protectedData} confirmed={confirmed} onConfirm={setConfirmed} />
          )}
          <ChangesTable changes={preview.operations} label="Planned changes" />
          {refusal !== null && (
            <StartRefusal
              error={refusal}
              what="roll back"
              environment={environment}
              isBusy={start.isPending}
              canQueue
              onClosed={(closing) => begin(preview, closing)}
            />
          )}
          <Group justify="flex-end" gap="xs">
            <Button onClick={onClose}>Cancel</Button>
            <Button
              variant="filled"
              loading={start.isPending}
              disabled={!canRollBack(preview, confirmed)}
              onClick={() => begin(preview, {})}
            >
              Roll back
            </Button>
          </Group>
        </Stack>
      )}
    </Loaded>
  );
};
