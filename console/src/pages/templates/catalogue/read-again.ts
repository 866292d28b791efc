/** A worker of the server reads the files of an entity some time after it is asked to. */

export interface ReadLocation {
  /** When it was last read well. */
  refreshedAt: string | null;
  problems: readonly { where: string; message: string }[];
}

export type ReadAgain =
  | { outcome: "read"; problems: ReadLocation["problems"] }
  | { outcome: "failed"; problems: ReadLocation["problems"] }
  /** Not within the time that one waits here. */
  | { outcome: "waits" };

export interface ReadAgainSteps {
  location: () => Promise<ReadLocation>;
  /** Asks for it. */
  request: () => Promise<unknown>;
  /** Before the location is looked at once more. */
  pause: () => Promise<void>;
}

const maxLooks = 30;

/** Asks that the location is read again, and resolves to what came of it. */
export const readAgain = async ({ location, request, pause }: ReadAgainSteps): Promise<ReadAgain> => {
  const before = await location();
  await request();
  for (let looks = 0; looks < maxLooks; looks++) {
    await pause();
    const { refreshedAt, problems } = await location();
    if (refreshedAt !== before.refreshedAt) return { outcome: "read", problems };
    // A reading that fails leaves the time as it is.
    if (JSON.stringify(problems) !== JSON.stringify(before.problems)) return { outcome: "failed", problems };
  }
  return { outcome: "waits" };
};
