import { Alert, Checkbox, Stack, Table, Text } from "@mantine/core";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import type { CoordinatorComponents } from "plinth-client";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { ConfirmDialog } from "../../../parts/page/confirm-dialog.tsx";
import { Icon } from "../../../parts/page/icon.tsx";
import { Loaded } from "../../../parts/states/views.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { wordsOf } from "../../../parts/values/text.ts";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { shortId, shortReference } from "../names.ts";
import type { Operation } from "../unit/queries.ts";
import classes from "./history.module.css";

type Target = Operation["operation"];
type Preview = CoordinatorComponents["schemas"]["ProvisioningPreview"];

const previewQuery = ({ deploymentUnitId, environment, operationId }: Target) =>
  queryOptions({
    queryKey: [...keys.unit(deploymentUnitId), "rollback", environment, operationId],
    // What it would do depends on what runs now.
    staleTime: 0,
    queryFn: ({ signal }) =>
      call(
        api.coordinator.POST(
          "/api/coordinator/v2/deployment-units/{deployment-unit-id}/provisioning/rollback/preview",
          {
            params: { path: { "deployment-unit-id": deploymentUnitId }, query: { environment } },
            body: { operationId },
            signal,
          },
        ),
      ),
  });

/** What a rollback would do, and its start, pinned to exactly that. */
export const RollBackDialog = ({ target, onClose }: { target: Target; onClose: () => void }): ReactNode => {
  const query = useQuery(previewQuery(target));
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [confirmed, setConfirmed] = useState<readonly string[]>([]);
  const { deploymentUnitId, environment, operationId, descriptorVersion } = target;
  const start = async (): Promise<void> => {
    const preview = query.data;
    if (preview === undefined) throw new Error("What it would do has not been read yet.");
    const planId = await call(
      api.coordinator.POST(
        "/api/coordinator/v2/deployment-units/{deployment-unit-id}/provisioning/rollback",
        {
          params: { path: { "deployment-unit-id": deploymentUnitId }, query: { environment } },
          body: {
            operationId,
            planHash: preview.planHash,
            ...(confirmed.length > 0 && { confirmDataRemoval: [...confirmed] }),
          },
        },
      ),
    );
    await queries.invalidateQueries({ queryKey: keys.units });
    await navigate({ to: "/plans/$planId", params: { planId } });
  };
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Roll back to ${descriptorVersion} in ${environment}`}
      verb="Roll back"
      onConfirm={start}
      isReady={isPossible(query.data, confirmed)}
      isDangerous
    >
      <Loaded query={query} what="preview the rollback">
        {(preview) => (
          <Stack gap="sm">
            <Text size="sm">
              The unit becomes again what it was deployed as <TimeAgo at={target.startTime} />.
            </Text>
            <Notes preview={preview} />
            <Changes preview={preview} />
            <ProtectedData preview={preview} confirmed={confirmed} onChange={setConfirmed} />
          </Stack>
        )}
      </Loaded>
    </ConfirmDialog>
  );
};

const isPossible = (preview: Preview | undefined, confirmed: readonly string[]): boolean =>
  preview !== undefined &&
  preview.outcome === "OK" &&
  preview.permission?.verdict !== "deny" &&
  (preview.protectedData ?? []).every((id) => confirmed.includes(id));

const Notes = ({
  preview: { permission, closed, conflictingOperations },
}: {
  preview: Preview;
}): ReactNode => (
  <>
    {permission !== undefined && (
      <Alert color="warn" py={6} icon={<Icon name="lock" />}>
        {permission.verdict === "deny" ? "You may not do this" : "It waits for an approval"}, by the rule “
        {permission.rule}”. {permission.whoMay.map(shortReference).join(", ")}
      </Alert>
    )}
    {closed !== undefined && (
      <Alert color="warn" py={6} icon={<Icon name="clock" />}>
        {closed.reason}
      </Alert>
    )}
    {conflictingOperations.length > 0 && (
      <Alert color="bad" py={6} icon={<Icon name="warning" />} title="This cannot be done as it is">
        {conflictingOperations.map(({ componentId, reason }) => (
          <div key={componentId}>
            {shortId(componentId)}: {wordsOf(reason)}
          </div>
        ))}
      </Alert>
    )}
  </>
);

const Changes = ({ preview }: { preview: Preview }): ReactNode => (
  <div className={classes["changes"]}>
    <Table aria-label="What changes">
      <Table.Tbody>
        {preview.operations.map(({ componentId, action, reason }) => (
          <Table.Tr key={componentId}>
            <Table.Th scope="row" title={componentId}>
              {shortId(componentId)}
            </Table.Th>
            <Table.Td>
              <StatusBadge status={action} tone={action === "NONE" ? "gray" : "accent"}>
                {action === "NONE" ? "Stays" : wordsOf(action)}
              </StatusBadge>
            </Table.Td>
            <Table.Td>{wordsOf(reason)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </div>
);

/** Each by its own, since what is removed does not come back. */
const ProtectedData = ({
  preview,
  confirmed,
  onChange,
}: {
  preview: Preview;
  confirmed: readonly string[];
  onChange: (list: string[]) => void;
}): ReactNode =>
  preview.protectedData?.map((id) => (
    <Checkbox
      key={id}
      size="sm"
      label={`Remove the data of ${shortId(id)}: it cannot be brought back`}
      checked={confirmed.includes(id)}
      onChange={({ currentTarget: { checked } }) =>
        onChange(checked ? [...confirmed, id] : confirmed.filter((each) => each !== id))
      }
    />
  ));
