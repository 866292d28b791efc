/** Pure: the windows of one environment while they are edited, on the version that was read. */
import type { WindowsOfEnvironment } from "./queries.ts";
import type { Window } from "./times/periods.ts";

export interface Draft {
  key: number;
  window: Window;
}

/** As they are stored. */
export type Stored = Pick<WindowsOfEnvironment, "version" | "updatedBy"> & { windows: readonly Window[] };

export interface WindowsEdit {
  /** What was edited, and what a save replaces: what somebody else has saved meanwhile is not overwritten. */
  version: number;
  drafts: readonly Draft[];
  /** What somebody else has saved meanwhile, until one says which of both is to stay. */
  theirs: Stored | null;
}

export const beginEdit = ({ version, windows }: Stored): WindowsEdit => ({
  version,
  drafts: windows.map((window, key) => ({ key, window: { ...window } })),
  theirs: null,
});

export const windowsOf = ({ drafts }: WindowsEdit): Window[] => drafts.map(({ window }) => window);

export const addWindow = (edit: WindowsEdit, window: Window): WindowsEdit => ({
  ...edit,
  drafts: [...edit.drafts, { key: Math.max(-1, ...edit.drafts.map(({ key }) => key)) + 1, window }],
});

export const changeWindow = (edit: WindowsEdit, key: number, window: Window): WindowsEdit => ({
  ...edit,
  drafts: edit.drafts.map((each) => (each.key === key ? { key, window } : each)),
});

export const removeWindow = (edit: WindowsEdit, key: number): WindowsEdit => ({
  ...edit,
  drafts: edit.drafts.filter((each) => each.key !== key),
});

/** A save was refused because there is another version by now. */
export const withTheirs = (edit: WindowsEdit, theirs: Stored): WindowsEdit => ({ ...edit, theirs });

/** The next save replaces what somebody else has saved. */
export const overTheirs = (edit: WindowsEdit): WindowsEdit =>
  edit.theirs === null ? edit : { ...edit, version: edit.theirs.version, theirs: null };
