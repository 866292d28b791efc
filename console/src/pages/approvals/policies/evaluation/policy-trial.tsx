import { Button, SegmentedControl, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { useEnvironment } from "../../../../api/environments.ts";
import { useHasRole } from "../../../../api/session.ts";
import { EmptyView, ErrorView } from "../../../../parts/states/views.tsx";
import { WhoElseMay } from "../../parts/people.tsx";
import { DescriptorInput } from "./descriptor-input.tsx";
import type { Policy } from "../queries.ts";
import { ReportView } from "./report.tsx";
import { ResultsTable, Summary } from "./results-table.tsx";
import { testOnDescriptor, tryOnEverything } from "../writes.ts";

const route = getRouteApi("/policies/$policyId");

/** As if it were enabled; nothing of it is stored. */
export const PolicyTrial = ({ policy }: { policy: Policy }): ReactNode => {
  const { on = "everything" } = route.useSearch();
  const navigate = route.useNavigate();
  const mayTry = useHasRole("developer", "operator", "admin");
  if (!mayTry) return <WhoElseMay>Developers and operators may try policies.</WhoElseMay>;
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        The policy is evaluated as if it were enabled. No result is stored.
      </Text>
      <SegmentedControl
        size="xs"
        aria-label="Try it on"
        style={{ alignSelf: "flex-start" }}
        data={[
          { value: "everything", label: "Everything that is deployed" },
          { value: "descriptor", label: "One descriptor" },
        ]}
        value={on}
        onChange={(value) =>
          void navigate({
            search: (previous) => ({ ...previous, on: value === "descriptor" ? "descriptor" : undefined }),
          })
        }
      />
      {on === "everything" ? <OnEverything policy={policy} /> : <OnDescriptor policy={policy} />}
    </Stack>
  );
};

const OnEverything = ({ policy }: { policy: Policy }): ReactNode => {
  const { report } = route.useSearch();
  const navigate = route.useNavigate();
  const { environment } = useEnvironment();
  const starting = useMutation({
    mutationFn: () => tryOnEverything(policy.id, environment),
    onSuccess: (reportId) => navigate({ search: (previous) => ({ ...previous, report: reportId }) }),
  });
  return (
    <>
      <Button
        variant="filled"
        style={{ alignSelf: "flex-start" }}
        loading={starting.isPending}
        onClick={() => starting.mutate()}
      >
        Try it on everything in {environment}
      </Button>
      {starting.error !== null && <ErrorView error={starting.error} what="try the policy" />}
      {report !== undefined && <ReportView reportId={report} policyId={policy.id} />}
    </>
  );
};

const OnDescriptor = ({ policy }: { policy: Policy }): ReactNode => {
  const { environment } = useEnvironment();
  const [descriptor, setDescriptor] = useState("");
  const testing = useMutation({
    mutationFn: () => testOnDescriptor(policy.id, { environment, descriptor }),
  });
  return (
    <>
      <div>
        <DescriptorInput environment={environment} onChange={setDescriptor} />
      </div>
      <Button
        variant="filled"
        style={{ alignSelf: "flex-start" }}
        loading={testing.isPending}
        disabled={descriptor.trim() === ""}
        onClick={() => testing.mutate()}
      >
        Test
      </Button>
      {testing.error !== null && <ErrorView error={testing.error} what="test the policy" />}
      {testing.data !== undefined && (
        <div>
          <Summary counts={testing.data.summary} />
          {testing.data.results.length === 0 ? (
            <EmptyView title="The policy is about nothing in this descriptor" icon="search" />
          ) : (
            <ResultsTable label="Results of the test" results={testing.data.results} policyId={policy.id} />
          )}
        </div>
      )}
    </>
  );
};
