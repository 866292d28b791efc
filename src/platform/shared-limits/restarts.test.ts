/** API processes that are restarted within one minute of a rate: they go on answering, and together they stay within it. */
import { expect, it } from "vitest";
import { planShares, type Member, type ShareRow, type View } from "./plan-round.ts";
import { createRates, type RateDivision } from "./rates.ts";

const perMinute = 600;
const caller = "user:default/ada";
const startMs = 5 * 60_000;

interface Process {
  member: Member;
  rates: ReturnType<typeof createRates>;
  used: number;
  isRefused: boolean;
  division: RateDivision | null;
}

/** Simulates one minute of a rate: processes that start, end, answer requests, and divide the rate in their rounds. */
function createMinute() {
  let processes: Process[] = [];
  let rows: ShareRow[] = [];
  let goneUsed = 0;
  const view = (): View => ({
    nowMs: startMs + 20_000,
    members: processes.map(({ member }) => member),
    shares: rows,
  });
  const round = (process: Process): void => {
    const seen = view();
    const { id } = process.member;
    const wants = process.rates.wants(seen, process.rates.window(seen));
    const decisions = planShares(seen, wants, { own: id, rotation: 0 });
    for (const { name, period, demand, share, used } of decisions) {
      rows = rows.filter((row) => row.memberId !== id || row.name !== name);
      rows.push({ memberId: id, name, period, demand, share, used });
    }
    process.rates.apply(seen, decisions);
  };
  const allowed = ({ division }: Process): number =>
    division?.isDivided === true ? (division.grants.get(caller)?.allowed ?? division.base) : perMinute;
  return {
    start(id: string, joinedMs: number): Process {
      const member = {
        id,
        serves: true,
        joinedMs,
        workerId: null,
        heartbeatMs: joinedMs,
        goneMs: null,
        isDead: false,
      };
      const process: Process = {
        member,
        rates: createRates(id, () => {}),
        used: 0,
        isRefused: false,
        division: null,
      };
      process.rates.join({
        perMinute,
        counted: () => process,
        wanting: () => [caller],
        divide: (division) => (process.division = division),
        onWanting: () => {},
      });
      processes.push(process);
      for (const each of processes) round(each);
      return process;
    },
    end(process: Process): void {
      processes = processes.filter((each) => each !== process);
      goneUsed += process.used;
    },
    /** One second passes: each process gets this number of requests, then shares what it has used with the others. */
    second(requests: number): void {
      for (const process of processes) {
        for (let n = 0; n < requests; n++) {
          if (process.used < allowed(process)) process.used++;
          else process.isRefused = true;
        }
      }
      for (const process of processes) round(process);
    },
    answered: (): number => goneUsed + processes.reduce((sum, { used }) => sum + used, 0),
  };
}

it.each(["before", "after"])("one that starts %s the end of another answers as much as is left", (when) => {
  const minute = createMinute();
  const first = minute.start("a", 0);
  const second = minute.start("b", 1);
  minute.second(5);
  if (when === "after") minute.end(second);
  const third = minute.start("c", startMs + 10_000);
  if (when === "before") minute.end(second);
  for (let n = 0; n < 20; n++) minute.second(5);
  // A process that started after the end does not know of the ended one's part, and takes some of it until the other one waits.
  expect(first.used).toBeGreaterThanOrEqual(when === "before" ? 105 : 90);
  expect([third.used, third.isRefused]).toEqual([100, false]);
  for (let n = 0; n < 60; n++) minute.second(20);
  expect(minute.answered()).toBeLessThanOrEqual(perMinute * 1.1);
});

it("those that take the places of all answer a twentieth each", () => {
  const minute = createMinute();
  const before = [minute.start("a", 0), minute.start("b", 1)];
  minute.second(5);
  const after = before.map((each, n) => {
    const next = minute.start(`c${n}`, startMs + 10_000 + n);
    minute.end(each);
    return next;
  });
  for (let n = 0; n < 60; n++) minute.second(5);
  expect(after.map(({ used }) => used)).toEqual([30, 30]);
});
