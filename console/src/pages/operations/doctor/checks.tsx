import { Button, Code, Group, Stack, Text, Title } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import type { ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import type { Tone } from "../../../app/theme/colours.ts";
import { Icon } from "../../../parts/page/icon.tsx";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { Loaded } from "../../../parts/states/views.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { durationText, wordsOf } from "../../../parts/values/text.ts";
import { TimeAgo } from "../../../parts/values/times.tsx";
import classes from "./checks.module.css";

type Report = CoordinatorComponents["schemas"]["DoctorReport"];
type Check = CoordinatorComponents["schemas"]["DoctorCheck"];

const checksQuery = queryOptions({
  queryKey: [...keys.doctor, "checks"],
  queryFn: ({ signal }) => call(api.coordinator.GET("/api/coordinator/v1/doctor", { signal })),
});

export const Checks = (): ReactNode => {
  const query = useQuery(checksQuery);
  return (
    <Loaded query={query} what="check the installation" who="administrators">
      {(report) => (
        <Stack gap="lg">
          <Group gap="sm">
            <Verdict report={report} />
            <Text size="sm" c="dimmed" component="span">
              Plinth {report.version}, looked at <TimeAgo at={report.at} />
            </Text>
            <Button
              leftSection={<Icon name="refresh" size={14} />}
              loading={query.isFetching}
              onClick={() => void query.refetch()}
            >
              Check again
            </Button>
          </Group>
          {outcomes.map((outcome) => (
            <Outcome key={outcome} outcome={outcome} report={report} />
          ))}
        </Stack>
      )}
    </Loaded>
  );
};

const outcomes = ["problem", "warning", "skipped", "ok"] as const;

const shown: Record<(typeof outcomes)[number], { title: string; badge: string; tone: Tone }> = {
  problem: { title: "To be mended now", badge: "Problem", tone: "bad" },
  warning: { title: "To be looked at", badge: "Warning", tone: "warn" },
  skipped: { title: "Could not be looked at", badge: "Skipped", tone: "gray" },
  ok: { title: "As it should be", badge: "OK", tone: "good" },
};

const Verdict = ({ report: { outcome } }: { report: Report }): ReactNode => (
  <StatusBadge status={outcome} tone={shown[outcome].tone}>
    {outcome === "ok" ? "All is well" : shown[outcome].badge}
  </StatusBadge>
);

const Outcome = ({ outcome, report }: { outcome: (typeof outcomes)[number]; report: Report }): ReactNode => {
  const checks = report.checks.filter((check) => check.outcome === outcome);
  if (checks.length === 0) return null;
  const { title } = shown[outcome];
  return (
    <section aria-label={title}>
      <Title order={2} mb={4}>
        {title}{" "}
        <Text span c="dimmed" size="sm" className="tabular">
          {checks.length}
        </Text>
      </Title>
      <ul className={classes["list"]}>
        {checks.map((check) => (
          <CheckRow key={check.name} check={check} />
        ))}
      </ul>
    </section>
  );
};

/** The page that shows what a check looks at, by the check's name. */
const pages = {
  "failed tasks": "/operations",
  "waiting plans": "/operations",
  "stuck plans": "/operations",
  "unknown outcomes": "/unknown-outcomes",
  adapters: "/adapters",
  webhooks: "/webhooks",
  notices: "/notices",
  instantiations: "/instantiations",
  catalogue: "/catalogue",
  evaluations: "/policies",
  "audit of platform": "/audit",
  "audit of governance": "/audit",
  "access tokens": "/tokens",
} as const;

const CheckName = ({ name }: { name: string }): ReactNode => {
  const text = wordsOf(name);
  return Object.hasOwn(pages, name) ? (
    <PageLink to={pages[name as keyof typeof pages]} size="sm" fw={550}>
      {text}
    </PageLink>
  ) : (
    <Text size="sm" fw={550}>
      {text}
    </Text>
  );
};

const CheckRow = ({ check }: { check: Check }): ReactNode => {
  const { badge, tone } = shown[check.outcome];
  return (
    <li className={classes["check"]}>
      <Group gap="xs" wrap="nowrap" align="flex-start" justify="space-between">
        <CheckName name={check.name} />
        <StatusBadge status={check.outcome} tone={tone}>
          {badge}
        </StatusBadge>
      </Group>
      <div className={classes["found"]} title={`Took ${durationText(check.ms)}`}>
        {check.found}
        {check.advice !== null && (
          <Text size="sm" mt={2}>
            <Text span fw={600}>
              What to do:{" "}
            </Text>
            {check.advice}
          </Text>
        )}
        {check.outcome !== "ok" && (
          <Text size="xs" c="dimmed" mt={2}>
            More in <Code fz="xs">{check.guide}</Code>
          </Text>
        )}
      </div>
    </li>
  );
};
