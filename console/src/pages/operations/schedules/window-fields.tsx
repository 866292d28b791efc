import {
  Autocomplete,
  Button,
  Chip,
  Group,
  NumberInput,
  Paper,
  SegmentedControl,
  Select,
  TextInput,
} from "@mantine/core";
import type { ReactNode } from "react";
import { localMinute } from "../parts/local-minute.ts";
import { isTimeZone } from "./times/clock.ts";
import { cronOf, parseCron, weekdayNames, weeklyOf } from "./times/cron.ts";
import type { Window } from "./times/periods.ts";

export interface WindowFieldsProps {
  window: Window;
  onChange: (window: Window) => void;
  onRemove: () => void;
}

const hourMinutes = 60;

/** One window: what it does, and when, once or again and again. */
export const WindowFields = ({ window, onChange, onRemove }: WindowFieldsProps): ReactNode => {
  const isOnce = window.cron === undefined;
  const name = window.name === "" ? "the new window" : window.name;
  return (
    <Paper component="fieldset" p="sm" aria-label={name} m={0}>
      <Group gap="xs" align="flex-end">
        <TextInput
          label="Name"
          required
          w="12rem"
          value={window.name}
          onChange={({ currentTarget }) => onChange({ ...window, name: currentTarget.value })}
        />
        <Select
          label="Does"
          w="12rem"
          data={[
            { value: "freeze", label: "Freeze: nothing begins" },
            { value: "window", label: "Window: only then" },
          ]}
          value={window.kind}
          onChange={(kind) => onChange({ ...window, kind: kind === "window" ? "window" : "freeze" })}
        />
        <SegmentedControl
          size="xs"
          aria-label={`How often ${name} comes`}
          data={["Repeats", "Once"]}
          value={isOnce ? "Once" : "Repeats"}
          onChange={(value) => onChange(value === "Once" ? onceOf(window) : repeatingOf(window))}
        />
        <Button ml="auto" color="bad" variant="subtle" onClick={onRemove} aria-label={`Remove ${name}`}>
          Remove
        </Button>
      </Group>
      <Group gap="xs" align="flex-end" mt="xs">
        {isOnce ? (
          <OnceFields window={window} onChange={onChange} />
        ) : (
          <RepeatingFields window={window} onChange={onChange} />
        )}
      </Group>
    </Paper>
  );
};

const base = ({ name, kind, timeZone }: Window): Window => ({
  name,
  kind,
  ...(timeZone !== undefined && { timeZone }),
});

const onceOf = (window: Window): Window => {
  const from = new Date();
  from.setMinutes(0, 0, 0);
  const until = new Date(from.getTime() + 24 * 3_600_000);
  return { ...base(window), from: from.toISOString(), until: until.toISOString() };
};

const repeatingOf = (window: Window): Window => ({
  ...base(window),
  cron: "0 22 * * *",
  durationMinutes: 8 * hourMinutes,
});

type Fields = Omit<WindowFieldsProps, "onRemove">;

const OnceFields = ({ window, onChange }: Fields): ReactNode =>
  (["from", "until"] as const).map((part) => (
    <TextInput
      key={part}
      type="datetime-local"
      label={part === "from" ? "From" : "Until"}
      required
      w="13rem"
      value={localMinute(window[part] ?? "")}
      onChange={({ currentTarget }) => {
        const at = new Date(currentTarget.value);
        onChange({ ...window, [part]: Number.isNaN(at.getTime()) ? "" : at.toISOString() });
      }}
    />
  ));

const zones = Intl.supportedValuesOf("timeZone");

const RepeatingFields = ({ window, onChange }: Fields): ReactNode => {
  const cron = window.cron ?? "";
  const weekly = weeklyOf(cron);
  const timeZone = window.timeZone ?? "UTC";
  return (
    <>
      {weekly !== null && (
        <>
          <Chip.Group
            multiple
            value={weekly.weekdays.map(String)}
            onChange={(days) =>
              days.length > 0 &&
              onChange({
                ...window,
                cron: cronOf({ ...weekly, weekdays: days.map(Number).toSorted((a, b) => a - b) }),
              })
            }
          >
            <Group gap={4} role="group" aria-label="Days on which it begins">
              {[1, 2, 3, 4, 5, 6, 0].map((day) => (
                <Chip key={day} size="xs" value={String(day)}>
                  {capitalized(weekdayNames[day] ?? "")}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
          <TextInput
            type="time"
            label="Begins at"
            w="7.5rem"
            value={weekly.time}
            onChange={({ currentTarget: { value } }) =>
              value !== "" && onChange({ ...window, cron: cronOf({ ...weekly, time: value }) })
            }
          />
        </>
      )}
      <TextInput
        label="As cron"
        required
        w="9rem"
        value={cron}
        error={parseCron(cron) === null ? "Five fields" : undefined}
        onChange={({ currentTarget }) => onChange({ ...window, cron: currentTarget.value })}
      />
      <Duration window={window} onChange={onChange} />
      <Autocomplete
        label="By the clocks of"
        size="xs"
        w="12rem"
        data={zones}
        limit={20}
        value={timeZone}
        error={isTimeZone(timeZone) ? undefined : "No time zone"}
        onChange={(zone) => onChange({ ...window, timeZone: zone })}
      />
    </>
  );
};

const Duration = ({ window, onChange }: Fields): ReactNode => {
  const minutes = window.durationMinutes ?? 0;
  const write = (hours: number, rest: number): void =>
    onChange({ ...window, durationMinutes: hours * hourMinutes + rest });
  return (
    <>
      <NumberInput
        label="For hours"
        size="xs"
        w="5.5rem"
        min={0}
        allowDecimal={false}
        value={Math.floor(minutes / hourMinutes)}
        onChange={(value) => write(Number(value), minutes % hourMinutes)}
      />
      <NumberInput
        label="and minutes"
        size="xs"
        w="5.5rem"
        min={0}
        max={59}
        allowDecimal={false}
        value={minutes % hourMinutes}
        onChange={(value) => write(Math.floor(minutes / hourMinutes), Number(value))}
      />
    </>
  );
};

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
