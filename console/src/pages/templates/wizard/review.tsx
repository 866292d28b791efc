/** What was filled in, and its start. */
import { Alert, Button, Group, Text, Title } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useHasRole } from "../../../api/session.ts";
import { Icon } from "../../../parts/page/icon.tsx";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { numbered } from "../form/json.ts";
import { hidden } from "../form/secrets.ts";
import { countOf, withDefaults, type PageFaults } from "./faults.ts";
import { Overrides } from "./overrides.tsx";
import { fieldsOf, withoutSecretsOf, type Subject, type WizardPage } from "./subject.ts";
import type { DraftState } from "./use-draft.ts";
import { ValueList } from "./value-list.tsx";
import classes from "./wizard.module.css";

const route = getRouteApi("/templates/$templateRef");

export interface ReviewProps {
  subject: Subject;
  state: DraftState;
  /** What can be seen before the server is asked. */
  faults: PageFaults;
  refused: PageFaults;
  isStarting: boolean;
  onStart: () => void;
}

export const Review = ({ subject, state, faults, refused, isStarting, onStart }: ReviewProps): ReactNode => {
  const shown = withoutSecretsOf(subject, state.draft, hidden);
  const navigate = route.useNavigate();
  const mayStart = useHasRole("developer", "operator", "admin", "service");
  const wrong = countOf(faults);
  return (
    <section aria-label="Review and start">
      <Title order={2} mb="sm">
        Review and start
      </Title>
      {wrong > 0 && (
        <Alert color="warn" mb="sm" icon={<Icon name="warning" />}>
          {wrong === 1 ? "One field needs a correction." : `${wrong} fields need a correction.`}
        </Alert>
      )}
      {numbered(subject.pages).map(({ key: index, item: page }) => (
        <PageReview
          key={index}
          page={page}
          index={index}
          isFaulty={(faults.pages[index]?.length ?? 0) > 0}
          values={
            page.isByEnvironment
              ? subject.environments.map((name) => [name, shown.overrides[name] ?? {}] as const)
              : [["", withDefaults(page.schema, shown.pages[index] ?? {})] as const]
          }
        />
      ))}
      {subject.kind === "create" && <Overrides subject={subject} state={state} faults={refused.overrides} />}
      <Group gap="xs" mt="md">
        <Button
          onClick={() =>
            void navigate({ search: (previous) => ({ ...previous, step: subject.pages.length || 1 }) })
          }
          disabled={subject.pages.length === 0}
        >
          Back
        </Button>
        {subject.kind === "create" && (
          <Button onClick={() => void navigate({ search: (previous) => ({ ...previous, view: "try" }) })}>
            Dry run
          </Button>
        )}
        <Button variant="filled" loading={isStarting} disabled={!mayStart} onClick={onStart}>
          {subject.kind === "create" ? "Start" : subject.kind === "edit" ? "Make the change" : "Read from it"}
        </Button>
        <Button variant="subtle" color="gray" onClick={state.reset}>
          Discard
        </Button>
      </Group>
      {!mayStart && (
        <Text size="sm" c="dimmed" mt="xs">
          Developers and operators may start it.
        </Text>
      )}
    </section>
  );
};

interface PageReviewProps {
  page: WizardPage;
  index: number;
  isFaulty: boolean;
  values: readonly (readonly [environment: string, values: Record<string, unknown>])[];
}

const PageReview = ({ page, index, isFaulty, values }: PageReviewProps): ReactNode => {
  const { templateRef } = route.useParams();
  const fields = fieldsOf(page.schema);
  if (page.names.size === 0) return null;
  return (
    <div className={classes["summary"]}>
      <Group gap="xs" mb={4}>
        <Title order={3}>{page.title}</Title>
        <PageLink
          to="/templates/$templateRef"
          params={{ templateRef }}
          search={(previous) => ({ ...previous, step: index + 1, view: undefined })}
          size="sm"
          aria-label={`Change ${page.title}`}
        >
          Change
        </PageLink>
        {isFaulty && (
          <Text size="sm" c="bad" span>
            needs a correction
          </Text>
        )}
      </Group>
      {values.map(([environment, own]) => (
        <div key={environment}>
          {environment !== "" && (
            <Text size="sm" fw={600}>
              {environment}
            </Text>
          )}
          <ValueList fields={fields} values={own} />
        </div>
      ))}
    </div>
  );
};
