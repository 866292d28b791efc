/** The pages of a template, one after the other, and what comes of them. */
import { Alert, Button, Group, Select } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { PlinthError } from "plinth-client";
import { useMemo, useState, type ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { call, statusOf } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { sentAfter, unsent } from "../../../api/sent.ts";
import { Icon } from "../../../parts/page/icon.tsx";
import { ErrorView, ForbiddenView } from "../../../parts/states/views.tsx";
import { DryRun } from "../dry-run/dry-run.tsx";
import { countOf, faultsOfProblems, firstFaultyPage, localFaults, noFaults } from "./faults.ts";
import { PageForm } from "./page-form.tsx";
import { Review } from "./review.tsx";
import { StepList } from "./step-list.tsx";
import { requestOf, type Draft, type Subject } from "./subject.ts";
import { useDraft } from "./use-draft.ts";
import classes from "./wizard.module.css";

const route = getRouteApi("/templates/$templateRef");

export interface WizardProps {
  subject: Subject;
  /** What it begins with where nothing was kept. */
  start: Draft;
  from: string | null;
}

export const Wizard = ({ subject: current, start, from }: WizardProps): ReactNode => {
  // The form is built anew from each answer; the wizard stays with the one that it has unless the commit is another.
  const subject = useSteady(current);
  const { step } = route.useSearch();
  const navigate = route.useNavigate();
  const state = useDraft(subject, start, from);
  const [refused, setRefused] = useState(noFaults);
  const goTo = (index: number) =>
    navigate({
      search: (previous) => ({
        ...previous,
        step: index < subject.pages.length ? index + 1 : "review",
        view: undefined,
      }),
    });
  const run = useStart(subject, state.forget, (error) => {
    const faults = faultsOfProblems(subject, error instanceof PlinthError ? error.problems : []);
    setRefused(faults);
    const faulty = firstFaultyPage(subject, faults);
    if (faulty !== null) void goTo(faulty);
  });
  const last = subject.pages.length;
  const index = step === "review" ? last : Math.min((step ?? 1) - 1, last);
  const page = subject.pages[index];
  const local = useMemo(() => localFaults(subject, state.draft), [subject, state.draft]);
  const faults = countOf(refused) > 0 ? refused : page === undefined ? local : noFaults;
  return (
    <div className={classes["wizard"]}>
      <StepList subject={subject} current={index} faults={faults} />
      <div className={classes["page"]}>
        {state.isOutdated && <OutdatedAlert onReset={state.reset} />}
        {run.error !== null && <Refusal error={run.error} subject={subject} />}
        {subject.kind === "reverse" && (
          <Select
            label="Environment that is read"
            data={[...subject.environments]}
            value={state.draft.environment}
            onChange={(value) => value !== null && state.setEnvironment(value)}
            mb="md"
            w="16rem"
          />
        )}
        {page === undefined ? (
          <Review
            subject={subject}
            state={state}
            faults={local}
            refused={refused}
            isStarting={run.isPending}
            onStart={() => run.mutate(state.draft)}
          />
        ) : (
          <PageForm
            key={index}
            subject={subject}
            page={page}
            index={index}
            state={state}
            faults={{
              own: [...(refused.pages[index] ?? [])],
              overrides: refused.overrides,
            }}
            onChanged={() => setRefused(noFaults)}
            onBack={() => void goTo(index - 1)}
            onNext={() => void goTo(index + 1)}
          />
        )}
        {page === undefined && subject.kind === "create" && (
          <DryRunOf subject={subject} draft={state.draft} />
        )}
      </div>
    </div>
  );
};

const useSteady = (subject: Subject): Subject => {
  const [steady, setSteady] = useState(subject);
  if (steady.revision !== subject.revision) {
    setSteady(subject);
    return subject;
  }
  return steady;
};

const useStart = (subject: Subject, forget: () => void, onRefused: (error: Error) => void) => {
  const queries = useQueryClient();
  const navigate = useNavigate();
  // The same start sent twice, as after an answer that was lost, makes one run.
  const [{ key: idempotencyKey }, setSent] = useState(unsent);
  return useMutation({
    mutationFn: (draft: Draft) =>
      call(
        api.builder.POST("/api/builder/templates/instantiate", {
          params: { header: { "idempotency-key": idempotencyKey } },
          body: requestOf(subject, draft),
        }),
      ),
    onError(error) {
      setSent((sent) => sentAfter(sent, error));
      onRefused(error);
    },
    async onSuccess({ id }) {
      forget();
      await queries.invalidateQueries({ queryKey: keys.instantiations });
      await navigate({ to: "/instantiations/$taskId", params: { taskId: id } });
    },
  });
};

const Refusal = ({ error, subject }: { error: Error; subject: Subject }): ReactNode => {
  const queries = useQueryClient();
  if (statusOf(error) === 403)
    return (
      <ForbiddenView
        what={subject.entityRef === null ? "start this template" : "change this entity"}
        who={
          subject.entityRef === null ? "developers and operators" : "the owners of the entity and operators"
        }
        error={error}
      />
    );
  return (
    <div className={classes["refusal"]}>
      <ErrorView error={error} what="start this" />
      {statusOf(error) === 409 && subject.entityRef !== null && (
        <Button
          mt="xs"
          leftSection={<Icon name="refresh" size={14} />}
          onClick={() =>
            void queries.invalidateQueries({ queryKey: [...keys.templates, subject.templateRef] })
          }
        >
          Read the entity again
        </Button>
      )}
    </div>
  );
};

const OutdatedAlert = ({ onReset }: { onReset: () => void }): ReactNode => (
  <Alert color="warn" mb="md" icon={<Icon name="warning" />} title="The entity has changed meanwhile">
    Your values were filled in from an earlier commit, and would replace what it has now.
    <Group mt="xs">
      <Button onClick={onReset}>Take what it has now</Button>
    </Group>
  </Alert>
);

const DryRunOf = ({ subject, draft }: { subject: Subject; draft: Draft }): ReactNode => {
  const { view, file } = route.useSearch();
  const navigate = route.useNavigate();
  const request = useMemo(() => requestOf(subject, draft), [subject, draft]);
  if (view !== "try") return null;
  return (
    <DryRun
      request={request}
      file={file}
      onFile={(next) => void navigate({ search: (previous) => ({ ...previous, file: next }), replace: true })}
    />
  );
};
