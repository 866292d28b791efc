import {
  Button,
  Group,
  Modal,
  MultiSelect,
  Select,
  Stack,
  TagsInput,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useEnvironment } from "../../../api/environments.ts";
import { keys } from "../../../api/keys.ts";
import { ErrorView } from "../../../parts/states/views.tsx";
import { useNow } from "../../../parts/values/times.tsx";
import { policyNamesQuery } from "../policies/queries.ts";
import { inDays } from "../parts/names.ts";
import { requestException } from "./queries.ts";

export interface RequestExceptionProps {
  policy: string | undefined;
  resource: string | undefined;
  onClose: () => void;
}

interface Draft {
  policyId: string;
  resourceIds: string[];
  environments: string[];
  reason: string;
  /** As the field has it. */
  until: string;
}

type Faults = Partial<Record<keyof Draft, string>>;

const usualDays = 30;

/** Asks that a policy is not applied to some resources until a date. */
export const RequestException = ({ policy, resource, onClose }: RequestExceptionProps): ReactNode => {
  const queries = useQueryClient();
  const now = useNow();
  const [isChecked, setChecked] = useState(false);
  const [draft, setDraft] = useState<Draft>(() => ({
    policyId: policy ?? "",
    resourceIds: resource === undefined ? [] : [resource],
    environments: [],
    reason: "",
    until: inDays(usualDays),
  }));
  const sending = useMutation({
    mutationFn: () => requestException({ ...draft, until: new Date(draft.until).toISOString() }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keys.exceptions });
      onClose();
    },
  });
  const faults = faultsOf(draft, now);
  return (
    <Modal opened onClose={onClose} title="Request an exception">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setChecked(true);
          if (Object.keys(faults).length === 0) sending.mutate();
        }}
      >
        <Stack gap="sm">
          <Fields
            draft={draft}
            faults={isChecked ? faults : {}}
            change={(part) => setDraft((before) => ({ ...before, ...part }))}
          />
          {sending.error !== null && <ErrorView error={sending.error} what="request the exception" />}
          <Group justify="flex-end" gap="xs">
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" variant="filled" loading={sending.isPending}>
              Request
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};

const faultsOf = ({ policyId, resourceIds, reason, until }: Draft, now: number): Faults => ({
  ...(policyId === "" && { policyId: "Choose a policy." }),
  ...(resourceIds.length === 0 && { resourceIds: "Name what is to be excused." }),
  ...(reason.trim() === "" && { reason: "Say why." }),
  // A text that is no time is not later than now either.
  ...(!(Date.parse(until) > now) && { until: "Choose a time in the future." }),
});

interface FieldsProps {
  draft: Draft;
  faults: Faults;
  change: (part: Partial<Draft>) => void;
}

const Fields = ({ draft, faults, change }: FieldsProps): ReactNode => {
  const { environments } = useEnvironment();
  const { data: policies = [] } = useQuery(policyNamesQuery);
  return (
    <>
      <Select
        label="Of the policy"
        searchable
        data={policies.map(({ id, name }) => ({ value: id, label: name }))}
        value={draft.policyId === "" ? null : draft.policyId}
        onChange={(policyId) => change({ policyId: policyId ?? "" })}
        error={faults.policyId}
      />
      <TagsInput
        size="xs"
        label="Resources"
        description="Ids of units or components; Enter adds one."
        acceptValueOnBlur
        value={draft.resourceIds}
        onChange={(resourceIds) => change({ resourceIds })}
        error={faults.resourceIds}
      />
      <MultiSelect
        size="xs"
        label="Environments"
        placeholder={draft.environments.length === 0 ? "All" : ""}
        data={environments}
        value={draft.environments}
        onChange={(chosen) => change({ environments: chosen })}
      />
      <TextInput
        type="datetime-local"
        label="Until"
        value={draft.until}
        onChange={({ currentTarget }) => change({ until: currentTarget.value })}
        error={faults.until}
      />
      <Textarea
        size="xs"
        label="Reason"
        description="Those who decide read it."
        autosize
        minRows={2}
        maxLength={2048}
        value={draft.reason}
        onChange={({ currentTarget }) => change({ reason: currentTarget.value })}
        error={faults.reason}
      />
    </>
  );
};
