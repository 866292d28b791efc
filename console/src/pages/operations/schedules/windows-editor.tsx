import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { call, statusOf } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { ErrorView } from "../../../parts/states/views.tsx";
import { CalendarStrip } from "./calendar.tsx";
import type { WindowsOfEnvironment } from "./queries.ts";
import type { Window } from "./times/periods.ts";
import { WindowFields } from "./window-fields.tsx";

const route = getRouteApi("/schedules");
const conflict = 409;

interface Draft {
  key: number;
  window: Window;
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const newWindow = (): Window => ({
  name: "",
  kind: "freeze",
  timeZone: zone,
  cron: "0 18 * * fri",
  durationMinutes: 3600,
});

/** All windows of one environment; the strip above them shows what they would do, before they are saved. */
export const WindowsEditor = ({ of }: { of: WindowsOfEnvironment }): ReactNode => {
  const { environment } = of;
  // What was read when the editing began: who has changed it meanwhile is not overwritten.
  const [version] = useState(of.version);
  const [drafts, setDrafts] = useState<Draft[]>(() =>
    of.windows.map((window, key) => ({ key, window: { ...window } })),
  );
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const close = (): Promise<void> => navigate({ search: (previous) => ({ ...previous, edit: undefined }) });
  const windows = drafts.map(({ window }) => window);
  const saving = useMutation({
    mutationFn: () =>
      call(
        api.coordinator.PUT("/api/coordinator/v1/maintenance-windows/{environment}", {
          params: { path: { environment } },
          body: { version, windows: windows as WindowsOfEnvironment["windows"] },
        }),
      ),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keys.windows });
      await close();
    },
  });
  const change = (key: number, window: Window): void =>
    setDrafts((all) => all.map((each) => (each.key === key ? { key, window } : each)));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate();
      }}
    >
      <Stack gap="sm">
        <CalendarStrip label={`${environment}, as it is written here`} windows={windows} />
        {drafts.length === 0 && (
          <Text size="sm" c="dimmed">
            Without windows, operations begin at any time.
          </Text>
        )}
        {drafts.map(({ key, window }) => (
          <WindowFields
            key={key}
            window={window}
            onChange={(changed) => change(key, changed)}
            onRemove={() => setDrafts((all) => all.filter((each) => each.key !== key))}
          />
        ))}
        {saving.error !== null && (
          <ErrorView
            error={saving.error}
            what="save the windows"
            {...(statusOf(saving.error) === conflict && {
              retry: () => void queryClient.invalidateQueries({ queryKey: keys.windows }).then(close),
            })}
          />
        )}
        <Group gap="xs">
          <Button
            onClick={() =>
              setDrafts((all) => [
                ...all,
                { key: Math.max(0, ...all.map(({ key }) => key + 1)), window: newWindow() },
              ])
            }
          >
            Add a window
          </Button>
          <Button ml="auto" onClick={() => void close()}>
            Cancel
          </Button>
          <Button type="submit" variant="filled" loading={saving.isPending}>
            Save {environment}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
