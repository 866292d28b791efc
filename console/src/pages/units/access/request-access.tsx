import { Button, Checkbox, Group, Modal, Stack, TagsInput, Text, Textarea } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { useAccessRequest } from "../../../api/access-requests/use-access-request.ts";
import { useSession } from "../../../api/session.ts";
import { RequestFailure } from "../../../parts/states/request-failure.tsx";
import type { Unit } from "../unit/queries.ts";
import { useDescribedComponents, useHere } from "../unit/use-unit.ts";

export interface RequestAccessProps {
  unit: Unit;
  opened: boolean;
  onClose: () => void;
}

export const RequestAccess = ({ unit, opened, onClose }: RequestAccessProps): ReactNode => {
  const { environment } = useHere(unit);
  return (
    <Modal opened={opened} onClose={onClose} title={`Request access in ${environment}`}>
      <RequestForm unit={unit} environment={environment} onClose={onClose} />
    </Modal>
  );
};

interface NewRequest {
  outputPortUrns: string[];
  identities: string[];
  reason: string;
}

const RequestForm = ({
  unit,
  environment,
  onClose,
}: {
  unit: Unit;
  environment: string;
  onClose: () => void;
}): ReactNode => {
  const caller = useSession()?.caller;
  const ports = useDescribedComponents(unit.deploymentUnitId).filter(({ isConsumable }) => isConsumable);
  const [request, setRequest] = useState<NewRequest>({
    outputPortUrns: [],
    identities: caller == null ? [] : [caller.ref],
    reason: "",
  });
  // The only one is what is meant.
  const outputPortUrns = ports.length === 1 ? ports.map(({ id }) => id) : request.outputPortUrns;
  const send = useAccessRequest();
  if (ports.length === 0)
    return <Text size="sm">The unit has no output port, so there is nothing to read.</Text>;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate({
          operation: "GRANT",
          deploymentUnitId: unit.deploymentUnitId,
          environment,
          ...request,
          outputPortUrns,
        });
      }}
    >
      <Stack gap="sm">
        <Checkbox.Group
          label="Output ports"
          value={outputPortUrns}
          onChange={(value) => setRequest({ ...request, outputPortUrns: value })}
        >
          <Stack gap={6} mt={4}>
            {ports.map(({ id, name, description }) => (
              <Checkbox key={id} value={id} label={name} description={description} size="sm" />
            ))}
          </Stack>
        </Checkbox.Group>
        <TagsInput
          label="For"
          description="Users and groups, such as group:default/fleet-team"
          size="xs"
          value={request.identities}
          data={caller == null ? [] : [caller.ref, ...caller.groups]}
          onChange={(identities) => setRequest({ ...request, identities })}
        />
        <Textarea
          label="Reason"
          description="Whoever decides reads it"
          size="xs"
          autosize
          minRows={2}
          required
          value={request.reason}
          onChange={({ currentTarget }) => setRequest({ ...request, reason: currentTarget.value })}
        />
        {send.error !== null && <RequestFailure error={send.error} />}
        <Group justify="flex-end" gap="xs">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="filled"
            loading={send.isPending}
            disabled={outputPortUrns.length === 0 || request.identities.length === 0}
          >
            Send request
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
