/** Values that are others in one environment; nobody has to give any. */
import { Button, Group, MultiSelect, Select, Text, Title } from "@mantine/core";
import { useState, type ReactNode } from "react";
import type { Fault } from "../form/check-value.ts";
import { isRecord, textOr, type Values } from "../form/json.ts";
import { SchemaForm } from "../form/schema-form.tsx";
import { fieldsOf, valuesOf, type Subject } from "./subject.ts";
import type { DraftState } from "./use-draft.ts";
import classes from "./wizard.module.css";

export interface OverridesProps {
  subject: Subject;
  state: DraftState;
  faults: Readonly<Record<string, readonly Fault[]>>;
}

export const Overrides = ({ subject, state, faults }: OverridesProps): ReactNode => {
  const { overrides } = state.draft;
  const left = subject.environments.filter((name) => overrides[name] === undefined);
  const fields = new Map(subject.pages.flatMap(({ schema }) => [...fieldsOf(schema)]));
  if (fields.size === 0 || subject.environments.length === 0) return null;
  return (
    <div className={classes["summary"]}>
      <Title order={3} mb={4}>
        Other values in one environment
      </Title>
      {Object.keys(overrides).map((name) => (
        <EnvironmentOverride
          key={name}
          environment={name}
          fields={fields}
          definitions={definitionsOf(subject)}
          state={state}
          faults={faults[name] ?? []}
        />
      ))}
      {left.length > 0 && (
        <Select
          aria-label="Add an environment"
          placeholder="Add an environment"
          data={left}
          value={null}
          onChange={(name) => name !== null && state.setOverride(name, {})}
          w="14rem"
        />
      )}
    </div>
  );
};

interface EnvironmentOverrideProps {
  environment: string;
  fields: ReadonlyMap<string, Values>;
  definitions: Values;
  state: DraftState;
  faults: readonly Fault[];
}

const EnvironmentOverride = (props: EnvironmentOverrideProps): ReactNode => {
  const { environment, fields, definitions, state, faults } = props;
  const own = state.draft.overrides[environment] ?? {};
  const [names, setNames] = useState(() => Object.keys(own).filter((name) => fields.has(name)));
  const properties = Object.fromEntries(names.map((name) => [name, fields.get(name) ?? {}]));
  const choose = (next: string[]): void => {
    const base = valuesOf(state.draft);
    setNames(next);
    state.setOverride(environment, Object.fromEntries(next.map((name) => [name, own[name] ?? base[name]])));
  };
  return (
    <div className={classes["environment"]}>
      <Group gap="xs" mb="xs" align="flex-end">
        <MultiSelect
          size="xs"
          label={`Fields that differ in ${environment}`}
          data={[...fields].map(([value, field]) => ({ value, label: textOr(field["title"], value) }))}
          value={names}
          onChange={choose}
          className={classes["grow"]}
        />
        <Button onClick={() => state.setOverride(environment, null)}>Remove {environment}</Button>
      </Group>
      {names.length === 0 ? (
        <Text size="sm" c="dimmed">
          No field differs yet
        </Text>
      ) : (
        <SchemaForm
          page={{ type: "object", properties, ...definitions }}
          value={own}
          onChange={(values) => state.setOverride(environment, values)}
          faults={faults}
          idPrefix={`${environment}-values`}
          onSubmit={() => {}}
        >
          <span />
        </SchemaForm>
      )}
    </div>
  );
};

/** Fields may refer to definitions of their page. */
const definitionsOf = ({ pages }: Subject): Values => {
  const merged = (key: string): Values =>
    Object.assign(
      {},
      ...pages.map(({ schema }) => (isRecord(schema) && isRecord(schema[key]) ? schema[key] : {})),
    ) as Values;
  return { definitions: merged("definitions"), $defs: merged("$defs") };
};
