import { Button, Checkbox, Group, Modal, Stack, Text, TextInput, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { useHasRole, useSession } from "../../../api/session.ts";
import { ErrorView, Loaded } from "../../../parts/states/views.tsx";
import { JsonView } from "../../../parts/values/code-view.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { deploymentQuery, type Adapter, type Deployment } from "./queries.ts";

interface DeploymentViewProps {
  adapter: Adapter;
  environment: string;
  choose: (environment: string) => void;
}

/** Its address in each environment: chosen here, or by the switch of the page. */
export const DeploymentView = ({ adapter, environment, choose }: DeploymentViewProps): ReactNode => {
  const environments = useSession()?.environments ?? [];
  const mayWrite = useHasRole("operator", "admin", "service");
  const [isOpen, setOpen] = useState(false);
  const query = useQuery(deploymentQuery(adapter.id, environment));
  return (
    <section aria-label="Deployments">
      <Title order={2} mb="xs">
        Deployments
      </Title>
      <Group gap={6} mb="sm" role="group" aria-label="Environments">
        {environments.map((name) => {
          const here = adapter.deployments.environments.find((each) => each.environment === name);
          return (
            <Button
              key={name}
              aria-pressed={name === environment}
              variant={name === environment ? "light" : "default"}
              onClick={() => choose(name)}
            >
              {name}: {here === undefined ? "not deployed" : here.enabled ? "enabled" : "disabled"}
            </Button>
          );
        })}
      </Group>
      <Loaded query={query} what={`read its deployment in ${environment}`}>
        {(deployment) => (
          <Stack gap="xs">
            {deployment === null ? (
              <Text size="sm" c="dimmed">
                It is not deployed in {environment}, so no component there can use it.
              </Text>
            ) : (
              <Facts deployment={deployment} />
            )}
            {mayWrite ? (
              <Group>
                <Button onClick={() => setOpen(true)}>
                  {deployment === null ? "Add an address" : "Change"}
                </Button>
              </Group>
            ) : (
              <Text size="xs" c="dimmed">
                Operators may change it.
              </Text>
            )}
            <Modal opened={isOpen} onClose={() => setOpen(false)} title={`${adapter.name} in ${environment}`}>
              {isOpen && (
                <DeploymentForm
                  adapterId={adapter.id}
                  environment={environment}
                  deployment={deployment}
                  onDone={() => setOpen(false)}
                />
              )}
            </Modal>
          </Stack>
        )}
      </Loaded>
    </section>
  );
};

const Facts = ({ deployment }: { deployment: Deployment }): ReactNode => (
  <>
    <Group gap="xs">
      <StatusBadge
        status={deployment.enabled ? "ENABLED" : "Disabled"}
        {...(!deployment.enabled && { tone: "warn" as const })}
      />
      <Text size="sm" ff="monospace" style={{ overflowWrap: "anywhere" }}>
        {deployment.url}
      </Text>
      <Text size="xs" c="dimmed" component="span">
        changed <TimeAgo at={deployment.updatedAt} />
      </Text>
    </Group>
    {Object.keys(deployment.properties).length > 0 && (
      <JsonView value={deployment.properties} label="Properties" maxHeight="14rem" />
    )}
  </>
);

interface DeploymentFormProps {
  adapterId: string;
  environment: string;
  deployment: Deployment | null;
  onDone: () => void;
}

const DeploymentForm = ({ adapterId, environment, deployment, onDone }: DeploymentFormProps): ReactNode => {
  const [url, setUrl] = useState(deployment?.url ?? "");
  const [enabled, setEnabled] = useState(deployment?.enabled ?? true);
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      call(
        api.coordinator.PUT("/api/coordinator/v1/tech-adapters/{id}/deployments/{environment}", {
          params: { path: { id: adapterId, environment } },
          body: { url, enabled, properties: deployment?.properties ?? {} },
        }),
      ),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keys.adapters });
      onDone();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Stack gap="sm">
        <TextInput
          label="Address"
          type="url"
          required
          value={url}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          data-autofocus
        />
        <Checkbox
          size="xs"
          label="Enabled: components may use it"
          checked={enabled}
          onChange={({ currentTarget }) => setEnabled(currentTarget.checked)}
        />
        {save.isError && <ErrorView error={save.error} what="store the deployment" />}
        <Group justify="flex-end" gap="xs">
          <Button onClick={onDone}>Cancel</Button>
          <Button type="submit" variant="filled" loading={save.isPending}>
            Store
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
