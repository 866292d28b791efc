import { Button, Group, Stack, Text, Title, UnstyledButton } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { CoordinatorComponents } from "plinth-client";
import type { ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { useHasRole } from "../../../api/session.ts";
import { Icon } from "../../../parts/page/icon.tsx";
import { EmptyView, ErrorView, Loaded } from "../../../parts/states/views.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { shortReference } from "../names.ts";
import type { Unit } from "../unit/queries.ts";
import { useHere } from "../unit/use-unit.ts";
import { CheckResult } from "./check-result.tsx";
import classes from "./drift.module.css";
import { driftChecksQuery } from "./queries.ts";
import { Reconciles } from "./reconciles.tsx";

type Check = CoordinatorComponents["schemas"]["DriftCheckSummary"];

const route = getRouteApi("/units/$unitId");

export const DriftTab = ({ unit }: { unit: Unit }): ReactNode => {
  const id = unit.deploymentUnitId;
  const { environment, here } = useHere(unit);
  const query = useQuery(driftChecksQuery(id, environment));
  const start = useStartCheck(id, environment);
  if (here === undefined || !here.known)
    return <EmptyView title={`It was never started in ${environment}`} icon="units" />;
  return (
    <Stack gap="lg">
      <Reconciles unitId={id} environment={environment} />
      <section>
        <Group justify="space-between" mb="xs">
          <Title order={2}>Checks in {environment}</Title>
          <CheckButton start={start} />
        </Group>
        {start.error !== null && <ErrorView error={start.error} what="start a drift check" />}
        <Loaded query={query} what="list the drift checks">
          {({ data }) =>
            data.length === 0 ? (
              <EmptyView title="It was not checked yet" icon="pulse">
                A check asks the adapters whether what runs is what was deployed. It reports, and repairs
                nothing.
              </EmptyView>
            ) : (
              <Checks checks={data} />
            )
          }
        </Loaded>
      </section>
    </Stack>
  );
};

const useStartCheck = (id: string, environment: string) => {
  const queries = useQueryClient();
  const navigate = route.useNavigate();
  return useMutation({
    mutationFn: () =>
      call(
        api.coordinator.POST("/api/coordinator/v1/deployment-units/{deployment-unit-id}/drift-checks", {
          params: { path: { "deployment-unit-id": id }, query: { environment } },
        }),
      ),
    onSuccess: async (check) => {
      await queries.invalidateQueries({ queryKey: keys.driftChecks });
      await navigate({ search: (previous) => ({ ...previous, check }), replace: true, resetScroll: false });
    },
  });
};

const CheckButton = ({ start }: { start: ReturnType<typeof useStartCheck> }): ReactNode =>
  useHasRole("developer", "operator", "admin") ? (
    <Button
      leftSection={<Icon name="refresh" size={14} />}
      loading={start.isPending}
      onClick={() => start.mutate()}
    >
      Check now
    </Button>
  ) : (
    <Text size="xs" c="dimmed">
      Developers and operators may start a check.
    </Text>
  );

/** The chosen check beside the list; the latest unless the address names another. */
const Checks = ({ checks }: { checks: readonly Check[] }): ReactNode => {
  const { check } = route.useSearch();
  const navigate = route.useNavigate();
  const chosen = checks.find(({ id }) => id === check) ?? checks[0];
  return (
    <div className={classes["columns"]}>
      <ol className={classes["list"]}>
        {checks.map((each) => (
          <li key={each.id}>
            <UnstyledButton
              className={classes["check"]}
              aria-pressed={each === chosen}
              onClick={() =>
                void navigate({
                  search: (previous) => ({ ...previous, check: each.id }),
                  replace: true,
                  resetScroll: false,
                })
              }
            >
              <StatusBadge status={each.result ?? each.status} />
              <span className={classes["when"]}>
                <TimeAgo at={each.createdAt} /> ·{" "}
                {each.trigger === "SCHEDULED" ? "by schedule" : shortReference(each.requestedBy)}
              </span>
            </UnstyledButton>
          </li>
        ))}
      </ol>
      {chosen !== undefined && <CheckResult check={chosen} />}
    </div>
  );
};
