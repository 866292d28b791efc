import { Alert, Button, Group, List, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Icon } from "../../../parts/page/icon.tsx";
import { ErrorView } from "../../../parts/states/views.tsx";
import { referenceText } from "../../../parts/values/text.ts";
import { CalendarStrip } from "./calendar.tsx";
import { addWindow, changeWindow, removeWindow, windowsOf, type Stored } from "./drafts.ts";
import type { WindowsOfEnvironment } from "./queries.ts";
import type { Window } from "./times/periods.ts";
import { useWindowsEdit } from "./use-windows-edit.ts";
import { WindowFields } from "./window-fields.tsx";
import { windowWords } from "./window-words.ts";

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
  const { edit, change, error, isSaving, save, saveOverTheirs, close } = useWindowsEdit(of);
  const { drafts, theirs } = edit;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Stack gap="sm">
        <CalendarStrip label={`${environment}, as it is written here`} windows={windowsOf(edit)} />
        {drafts.length === 0 && (
          <Text size="sm" c="dimmed">
            Without windows, operations begin at any time.
          </Text>
        )}
        {drafts.map(({ key, window }) => (
          <WindowFields
            key={key}
            window={window}
            onChange={(changed) => change((current) => changeWindow(current, key, changed))}
            onRemove={() => change((current) => removeWindow(current, key))}
          />
        ))}
        {theirs !== null && (
          <Conflict theirs={theirs} isSaving={isSaving} onSave={saveOverTheirs} onDiscard={close} />
        )}
        {error !== null && <ErrorView error={error} what="save the windows" />}
        <Group gap="xs">
          <Button onClick={() => change((current) => addWindow(current, newWindow()))}>Add a window</Button>
          <Button ml="auto" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" variant="filled" loading={isSaving} disabled={theirs !== null}>
            Save {environment}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

interface ConflictProps {
  theirs: Stored;
  isSaving: boolean;
  onSave: () => void;
  onDiscard: () => void;
}

/** What somebody else saved meanwhile, while one's own stays above. */
const Conflict = ({ theirs, isSaving, onSave, onDiscard }: ConflictProps): ReactNode => (
  <Alert
    color="warn"
    icon={<Icon name="warning" />}
    role="alert"
    title="Somebody else saved these windows while you edited them"
  >
    <Stack gap="xs">
      <Text size="sm">
        {theirs.updatedBy === null ? "Theirs" : `${referenceText(theirs.updatedBy)}: theirs`} are below, yours
        above. Nothing of yours is lost, and nothing of it is saved yet.
      </Text>
      {theirs.windows.length === 0 ? (
        <Text size="sm">Theirs: no windows.</Text>
      ) : (
        <List size="sm" aria-label="Windows of somebody else">
          {theirs.windows.map((window) => (
            <List.Item key={window.name}>
              {window.name}: {windowWords(window)}
            </List.Item>
          ))}
        </List>
      )}
      <Group gap="xs">
        <Button loading={isSaving} onClick={onSave}>
          Save mine over it
        </Button>
        <Button disabled={isSaving} onClick={onDiscard}>
          Discard mine
        </Button>
      </Group>
    </Stack>
  </Alert>
);
