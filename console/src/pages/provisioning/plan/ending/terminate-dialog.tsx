import { Button, Group, Modal, Radio, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import { useState, type ReactNode } from "react";
import { api } from "../../../../api/client.ts";
import { call } from "../../../../api/error.ts";
import { ErrorView, Loaded } from "../../../../parts/states/views.tsx";
import { componentNameOf, countOf } from "../../names.ts";
import { planStatusQuery, terminationQuery } from "../queries.ts";
import classes from "./ending.module.css";

type Preview = CoordinatorComponents["schemas"]["TerminationPreview"];
type Mode = Preview["modes"][number];
type ModeWord = Mode["mode"];

interface TerminateDialogProps {
  planId: string;
  opened: boolean;
  onClose: () => void;
}

/** What each way of ending the plan will do to its tasks and components, before one of them is chosen. */
export const TerminateDialog = ({ planId, opened, onClose }: TerminateDialogProps): ReactNode => (
  <Modal opened={opened} onClose={onClose} title="Terminate the plan" size="lg">
    {opened && <Body planId={planId} onClose={onClose} />}
  </Modal>
);

const Body = ({ planId, onClose }: Omit<TerminateDialogProps, "opened">): ReactNode => (
  <Loaded query={useQuery(terminationQuery(planId))} what="say what a termination will do">
    {(preview) => <Choice planId={planId} preview={preview} onClose={onClose} />}
  </Loaded>
);

const Choice = ({
  planId,
  preview,
  onClose,
}: {
  planId: string;
  preview: Preview;
  onClose: () => void;
}): ReactNode => {
  const [chosen, setChosen] = useState<ModeWord>(preview.requestedMode === null ? "safe" : "forced");
  const queries = useQueryClient();
  const terminate = useMutation({
    mutationFn: (mode: ModeWord) =>
      call(
        api.coordinator.POST("/api/coordinator/v1/execution-plans/{token}/terminate", {
          params: { path: { token: planId }, query: { mode } },
        }),
      ),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: planStatusQuery(planId).queryKey });
      onClose();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        terminate.mutate(chosen);
      }}
    >
      <Stack gap="sm">
        <Radio.Group
          label="How"
          value={chosen}
          onChange={setChosen}
          classNames={{ label: classes["hidden"] ?? "" }}
        >
          <Stack gap="sm">
            {preview.modes.map((mode) => (
              <Radio
                key={mode.mode}
                value={mode.mode}
                label={modeWords[mode.mode]}
                description={mode.summary}
                disabled={preview.requestedMode !== null && mode.mode === "safe"}
              />
            ))}
          </Stack>
        </Radio.Group>
        {preview.modes
          .filter(({ mode }) => mode === chosen)
          .map((mode) => (
            <Effects key={mode.mode} mode={mode} done={preview.done} />
          ))}
        {terminate.isError && <ErrorView error={terminate.error} what="terminate the plan" />}
        <Group justify="flex-end" gap="xs">
          <Button onClick={onClose}>Go on with the plan</Button>
          <Button
            type="submit"
            variant="filled"
            color="bad"
            loading={terminate.isPending}
            disabled={!preview.mayTerminate}
          >
            Terminate
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

const modeWords: Record<ModeWord, string> = {
  safe: "Safe: let what is at work finish",
  forced: "Forced: stop what is at work",
};

const effectWords = {
  FINISHES: "Finishes",
  STOPPED: "Is stopped",
  ABORTED: "Is given up",
  NEVER_BEGUN: "Does not begin",
} as const;

const mostShown = 8;

const Effects = ({ mode, done }: { mode: Mode; done: readonly string[] }): ReactNode => {
  const groups = Map.groupBy(mode.tasks, ({ effect }) => effect);
  return (
    <dl className={classes["effects"]} aria-label="What it will do">
      {[...groups].map(([effect, tasks]) => (
        <div key={effect}>
          <dt>
            {effectWords[effect]} <span>{countOf(tasks.length, "task")}</span>
          </dt>
          <dd>
            {tasks
              .slice(0, mostShown)
              .map(({ taskId, componentId }) => componentNameOf(componentId ?? taskId))
              .join(", ")}
            {tasks.length > mostShown && ` and ${tasks.length - mostShown} more`}
            <Text size="xs" c="dimmed">
              {tasks[0]?.why}
            </Text>
          </dd>
        </div>
      ))}
      <Components label="May become corrupt" ids={mode.mayBecomeCorrupt} isBad />
      <Components label="Changed already, and stays so" ids={done} />
      <Components label="Keeps its earlier state" ids={mode.untouched} />
    </dl>
  );
};

const Components = ({
  label,
  ids,
  isBad = false,
}: {
  label: string;
  ids: readonly string[];
  isBad?: boolean;
}): ReactNode =>
  ids.length === 0 ? null : (
    <div>
      <dt data-bad={isBad}>
        {label} <span>{countOf(ids.length, "component")}</span>
      </dt>
      <dd>
        {ids.slice(0, mostShown).map(componentNameOf).join(", ")}
        {ids.length > mostShown && ` and ${ids.length - mostShown} more`}
      </dd>
    </div>
  );
