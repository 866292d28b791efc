import { Badge, Group, SegmentedControl, Stack, Text, Title, useMantineColorScheme } from "@mantine/core";
import type { ReactNode } from "react";
import { useSession } from "../../../api/session.ts";
import { useSignal } from "../../../api/signal.ts";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { ButtonLink } from "../../../parts/page/page-link.tsx";
import { LoadingView } from "../../../parts/states/views.tsx";
import { chooseTimeFormat, timeFormat, timeFormats } from "../../../parts/values/time-format.ts";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { Facts } from "../parts/facts.tsx";
import { NoticeChoices } from "./notice-choices.tsx";
import { SignOutButton } from "./sign-out-button.tsx";

export const SettingsPage = (): ReactNode => (
  <>
    <PageHeader title="My settings" description="Who you are here, how it looks, and what you are told." />
    <Stack gap="xl" maw="52rem">
      <WhoIAm />
      <Appearance />
      <NoticeChoices />
    </Stack>
  </>
);

const WhoIAm = (): ReactNode => {
  const session = useSession();
  if (session?.caller === undefined || session.caller === null) return <LoadingView lines={2} />;
  const { caller, isGuest, session: kept } = session;
  return (
    <section aria-labelledby="who-i-am">
      <Title order={2} id="who-i-am" mb="xs">
        Who I am
      </Title>
      <Facts
        of={{
          Name: caller.ref,
          "Signed in": isGuest ? "as the guest of a development server" : `with ${caller.provider}`,
          Roles: <Names of={caller.roles} none="none: you may do nothing here" />,
          Groups: <Names of={caller.groups} none="none in the catalogue" />,
          Scopes: caller.scopes.includes("all")
            ? "everything that the roles allow"
            : caller.scopes.join(", "),
          "This session": kept === null ? undefined : <SessionTimes of={kept} />,
        }}
      />
      <Group gap="xs" mt="sm">
        <ButtonLink to="/tokens">My tokens and sessions</ButtonLink>
        {!isGuest && kept !== null && <SignOutButton />}
      </Group>
      {isGuest && (
        <Text size="xs" c="dimmed" mt={4}>
          A guest needs no sign-in, and cannot sign out.
        </Text>
      )}
    </section>
  );
};

const SessionTimes = ({
  of: { startedAt, expiresAt, endsAt },
}: {
  of: { startedAt: string; expiresAt: string; endsAt: string };
}): ReactNode => (
  <>
    began <TimeAgo at={startedAt} />, ends <TimeAgo at={expiresAt} /> when it is not used, and{" "}
    <TimeAgo at={endsAt} /> in any case
  </>
);

const Names = ({ of, none }: { of: readonly string[]; none: string }): ReactNode =>
  of.length === 0 ? (
    none
  ) : (
    <Group gap={4}>
      {of.map((name) => (
        <Badge key={name} color="gray">
          {name}
        </Badge>
      ))}
    </Group>
  );

const schemes = [
  { value: "light", label: "Light" },
  { value: "auto", label: "As the system" },
  { value: "dark", label: "Dark" },
] as const;

const formatLabels = { distance: "How long ago", local: "Local time", utc: "UTC" } as const;

const Appearance = (): ReactNode => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const format = useSignal(timeFormat);
  return (
    <section aria-labelledby="appearance">
      <Title order={2} id="appearance" mb="xs">
        Appearance
      </Title>
      <Facts
        of={{
          Theme: (
            <SegmentedControl
              size="xs"
              aria-label="Theme of the pages"
              value={colorScheme}
              onChange={(value) => setColorScheme(value)}
              data={[...schemes]}
            />
          ),
          Times: (
            <Group gap="sm">
              <SegmentedControl
                size="xs"
                aria-label="How times are shown"
                value={format}
                onChange={chooseTimeFormat}
                data={timeFormats.map((value) => ({ value, label: formatLabels[value] }))}
              />
              <Text size="xs" c="dimmed" span>
                such as <TimeAgo at={example} />
              </Text>
            </Group>
          ),
        }}
      />
      <Text size="xs" c="dimmed" mt={4}>
        Kept in this browser.
      </Text>
    </section>
  );
};

const exampleAgeMs = 3 * 3_600_000;
const example = new Date(Date.now() - exampleAgeMs).toISOString();
