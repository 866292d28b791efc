import { Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useEnvironment } from "../../../api/environments.ts";
import { ButtonLink } from "../../../parts/page/page-link.tsx";
import { unitQuery } from "./queries.ts";
import { PermissionNote, usePermission } from "./who-may.tsx";

/** What can be done to the whole unit in the chosen environment. What the rules refuse is not shown; who may is said in its place. */
export const UnitActions = ({ unitId }: { unitId: string }): ReactNode => {
  const { environment } = useEnvironment();
  const unit = useQuery(unitQuery(unitId)).data;
  const here = unit?.environments.find((each) => each.environment === environment);
  // All of them are to go.
  const without = unit?.components.map(({ componentId }) => componentId).join(",");
  const start = usePermission(unitId, environment, "start", "deploy it");
  const undeploy = usePermission(unitId, environment, "undeploy", "undeploy it");
  const isDeployed = here !== undefined && here.known && here.status !== "NOT_DEPLOYED";
  return (
    <Stack gap={4} align="flex-end">
      <Group gap="xs">
        {undeploy.isAllowed && isDeployed && (
          <ButtonLink to="/provision" search={{ unit: unitId, without, env: environment }}>
            Undeploy
          </ButtonLink>
        )}
        {start.isAllowed && (
          <ButtonLink to="/provision" variant="filled" search={{ unit: unitId, env: environment }}>
            Deploy to {environment}
          </ButtonLink>
        )}
      </Group>
      <PermissionNote {...start} />
      {isDeployed && undeploy.note !== start.note && <PermissionNote {...undeploy} />}
    </Stack>
  );
};
