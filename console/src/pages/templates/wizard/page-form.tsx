import { Button, Group, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { Fault } from "../form/check-value.ts";
import { SchemaForm } from "../form/schema-form.tsx";
import type { Subject, WizardPage } from "./subject.ts";
import type { DraftState } from "./use-draft.ts";
import classes from "./wizard.module.css";

export interface PageFormProps {
  subject: Subject;
  page: WizardPage;
  index: number;
  state: DraftState;
  faults: { own: readonly Fault[]; overrides: Readonly<Record<string, readonly Fault[]>> };
  onChanged: () => void;
  onBack: () => void;
  onNext: () => void;
}

export const PageForm = (props: PageFormProps): ReactNode => {
  const { page, index, state, faults, onChanged, onBack, onNext } = props;
  const back = index > 0 && <Button onClick={onBack}>Back</Button>;
  return (
    <section aria-label={page.title}>
      <Title order={2} mb={page.description === "" ? "sm" : 2}>
        {page.title}
      </Title>
      {page.description !== "" && (
        <Text size="sm" c="dimmed" mb="sm" className={classes["prose"]}>
          {page.description}
        </Text>
      )}
      {page.isByEnvironment ? (
        <>
          <EnvironmentForms {...props} />
          <Group gap="xs" mt="md">
            {back}
            <Button variant="filled" onClick={onNext}>
              Next
            </Button>
          </Group>
        </>
      ) : (
        <SchemaForm
          page={page.schema}
          value={state.draft.pages[index] ?? {}}
          onChange={(values) => {
            state.setPage(index, values);
            if (faults.own.length > 0) onChanged();
          }}
          faults={faults.own}
          idPrefix={`page-${index}`}
          onSubmit={(values) => {
            state.setPage(index, values);
            onNext();
          }}
        >
          <Group gap="xs" mt="md">
            {back}
            <Button type="submit" variant="filled">
              Next
            </Button>
          </Group>
        </SchemaForm>
      )}
    </section>
  );
};

/** One below the other, so that differences are seen. */
const EnvironmentForms = ({ subject, page, state, faults, onChanged, onNext }: PageFormProps): ReactNode =>
  subject.environments.map((name) => (
    <section key={name} aria-label={name} className={classes["environment"]}>
      <Title order={3} mb="xs">
        {name}
      </Title>
      <SchemaForm
        page={page.schema}
        value={state.draft.overrides[name] ?? {}}
        onChange={(values) => {
          state.setOverride(name, values);
          if (faults.overrides[name] !== undefined) onChanged();
        }}
        faults={faults.overrides[name] ?? []}
        idPrefix={`${name}-values`}
        onSubmit={onNext}
      >
        <span />
      </SchemaForm>
    </section>
  ));
