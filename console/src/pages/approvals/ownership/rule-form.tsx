import {
  ActionIcon,
  Group,
  MultiSelect,
  Paper,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from "@mantine/core";
import type { ReactNode } from "react";
import { useEnvironment } from "../../../api/environments.ts";
import { Icon } from "../../../parts/page/icon.tsx";
import { effects, operations, type Rule } from "./queries.ts";
import { effectWords, operationWords } from "./rule-words.ts";

export interface RuleFormProps {
  rule: Rule;
  /** Its place among those that are edited, from 1. */
  place: number;
  count: number;
  onChange: (rule: Rule) => void;
  /** -1 is up. */
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

export const RuleForm = (props: RuleFormProps): ReactNode => {
  const { rule, place, count, onChange, onMove, onRemove } = props;
  const change = (part: Partial<Rule>): void => onChange({ ...rule, ...part });
  return (
    <Paper component="fieldset" p="sm" aria-label={`Rule ${place}`}>
      <Stack gap="xs">
        <Group gap="xs" wrap="nowrap" align="flex-end">
          <Text size="sm" c="dimmed" pb={6}>
            {place}.
          </Text>
          <TextInput
            label="Name"
            style={{ flex: 1 }}
            value={rule.name}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          />
          <ActionIcon aria-label={`Move rule ${place} up`} disabled={place === 1} onClick={() => onMove(-1)}>
            <Icon name="up" />
          </ActionIcon>
          <ActionIcon
            aria-label={`Move rule ${place} down`}
            disabled={place === count}
            onClick={() => onMove(1)}
          >
            <Icon name="down" />
          </ActionIcon>
          <ActionIcon aria-label={`Remove rule ${place}`} onClick={onRemove}>
            <Icon name="trash" />
          </ActionIcon>
        </Group>
        <RuleFields rule={rule} change={change} />
      </Stack>
    </Paper>
  );
};

const RuleFields = ({ rule, change }: { rule: Rule; change: (part: Partial<Rule>) => void }): ReactNode => {
  const { environments } = useEnvironment();
  return (
    <>
      <Group gap="xs" grow preventGrowOverflow={false}>
        <Select
          label="Effect"
          data={effects.map((value) => ({ value, label: effectWords[value] }))}
          value={rule.effect}
          onChange={(effect) => {
            if (effect !== null) change({ effect, groups: effect === "approval" ? rule.groups : [] });
          }}
        />
        <MultiSelect
          size="xs"
          label="Operations"
          placeholder={rule.operations.length === 0 ? "All" : ""}
          data={operations.map((value) => ({ value, label: operationWords[value] }))}
          value={rule.operations}
          onChange={(chosen) => change({ operations: operations.filter((each) => chosen.includes(each)) })}
        />
        <MultiSelect
          size="xs"
          label="Environments"
          placeholder={rule.environments.length === 0 ? "All" : ""}
          data={[...new Set([...environments, ...rule.environments])]}
          value={rule.environments}
          onChange={(chosen) => change({ environments: chosen })}
        />
        <TagsInput
          size="xs"
          label="Domains"
          placeholder={rule.domains.length === 0 ? "All" : ""}
          acceptValueOnBlur
          value={rule.domains}
          onChange={(domains) => change({ domains })}
        />
      </Group>
      <Group gap="xs" grow preventGrowOverflow={false}>
        <OwnersField rule={rule} change={change} />
        {rule.effect === "approval" && (
          <TagsInput
            size="xs"
            label="Approved by"
            placeholder={rule.groups.length === 0 ? "The owners of the unit" : ""}
            acceptValueOnBlur
            value={rule.groups}
            onChange={(groups) => change({ groups })}
          />
        )}
      </Group>
    </>
  );
};

const OwnersField = ({ rule, change }: { rule: Rule; change: (part: Partial<Rule>) => void }): ReactNode => {
  const { owners } = rule;
  const kind = Array.isArray(owners) ? "some" : owners === "mine" ? "mine" : "any";
  return (
    <>
      <Select
        label="Units"
        data={[
          { value: "any", label: "Anybody's" },
          { value: "mine", label: "The caller's own" },
          { value: "some", label: "Of these owners" },
        ]}
        value={kind}
        onChange={(value) => change({ owners: value === "some" ? [] : (value ?? "any") })}
      />
      {Array.isArray(owners) && (
        <TagsInput
          size="xs"
          label="Owners"
          acceptValueOnBlur
          value={owners}
          onChange={(chosen) => change({ owners: chosen })}
        />
      )}
    </>
  );
};
