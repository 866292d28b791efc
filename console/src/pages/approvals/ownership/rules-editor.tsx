import { Button, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { CodeEditor } from "../../../parts/code/code-editor.tsx";
import { toYaml } from "../../../parts/code/yaml.ts";
import { Icon } from "../../../parts/page/icon.tsx";
import { ErrorView } from "../../../parts/states/views.tsx";
import { Conflict } from "../parts/conflict.tsx";
import { Section } from "../parts/section.tsx";
import type { Rules } from "./queries.ts";
import { RuleForm } from "./rule-form.tsx";
import { useRulesEdit, type Entry } from "./use-rules-edit.ts";

/** The stored rules as a form or as YAML. Saved on the version that was read; one that was made meanwhile is shown beside it. */
export const RulesEditor = ({ rules, as }: { rules: Rules; as: "form" | "yaml" }): ReactNode => {
  const edit = useRulesEdit(rules, as);
  const { base, theirs } = edit;
  return (
    <Section
      title="Rules kept here"
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Edit as"
          data={[
            { value: "form", label: "Form" },
            { value: "yaml", label: "YAML" },
          ]}
          value={as}
          onChange={(value) => edit.show(value === "yaml" ? "yaml" : "form")}
        />
      }
    >
      <Stack gap="sm">
        {as === "yaml" ? (
          <CodeEditor initial={edit.text} onChange={edit.setText} label="Rules as YAML" />
        ) : (
          <Forms entries={edit.entries} onChange={edit.setEntries} onAdd={edit.add} />
        )}
        {theirs !== null && (
          <Conflict
            version={base.version}
            newer={theirs}
            theirs={toYaml(theirs.rules)}
            mine={toYaml(edit.mine())}
            onRebase={edit.rebase}
          />
        )}
        {edit.error !== null && <ErrorView error={edit.error} what="save the rules" />}
        <Group gap="xs">
          <Button variant="filled" loading={edit.isBusy} disabled={theirs !== null} onClick={edit.save}>
            Save version {base.version + 1}
          </Button>
          <Button onClick={edit.close}>Cancel</Button>
        </Group>
      </Stack>
    </Section>
  );
};

interface FormsProps {
  entries: readonly Entry[];
  onChange: (entries: Entry[]) => void;
  onAdd: () => void;
}

const Forms = ({ entries, onChange, onAdd }: FormsProps): ReactNode => {
  const move = (index: number, by: -1 | 1): void => {
    const moved = [...entries];
    const [entry] = moved.splice(index, 1);
    if (entry !== undefined) moved.splice(index + by, 0, entry);
    onChange(moved);
  };
  return (
    <>
      {entries.length === 0 && (
        <Text size="sm" c="dimmed">
          No rules are kept here: those of the configuration and the defaults count.
        </Text>
      )}
      {entries.map(({ key, rule }, index) => (
        <RuleForm
          key={key}
          rule={rule}
          place={index + 1}
          count={entries.length}
          onChange={(changed) =>
            onChange(entries.map((each) => (each.key === key ? { key, rule: changed } : each)))
          }
          onMove={(by) => move(index, by)}
          onRemove={() => onChange(entries.filter((each) => each.key !== key))}
        />
      ))}
      <Button
        leftSection={<Icon name="plus" size={14} />}
        onClick={onAdd}
        style={{ alignSelf: "flex-start" }}
      >
        Add a rule
      </Button>
    </>
  );
};
