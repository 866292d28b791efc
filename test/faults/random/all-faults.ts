/** All faults of the two instances, their database and the adapter. */
import type { Random } from "../../crash/random.ts";
import { wireFaults } from "../database-faults.ts";
import type { Wire } from "../wire.ts";
import type { Instance } from "./instance.ts";
import type { OwnCluster } from "./own-cluster.ts";
import type { ScheduledFault } from "./schedule.ts";
import { serverFaults } from "./server-faults.ts";

export interface Targets {
  cluster: OwnCluster;
  instances: readonly Instance[];
  adapterWire: Wire;
  /** How long a process may stand still before others take its work. */
  leaseMs: number;
  random: Random;
}

const slowDatabaseMs = 150;
const slowAdapterMs = 1_500;

export function allFaults(targets: Targets): ScheduledFault[] {
  const { cluster, instances, random } = targets;
  return [
    ...serverFaults(cluster, random).map((fault) => ({
      ...fault,
      name: `database ${fault.name}`,
      group: "database",
      holds: fault.name === "frozen" || fault.name === "locked",
      // Five attempts a second to take a lease anew: what they leave open is beyond the limit by then.
      ...(fault.name === "read-only anew" ? { leastMs: 5_000 } : {}),
    })),
    ...instances.flatMap((instance) => [
      ...databaseWireFaults(instance),
      ...processFaults(instance, targets.leaseMs),
    ]),
    ...adapterFaults(targets.adapterWire),
  ];
}

const slow = (wire: Wire, delayMs: number) => ({
  name: "slow",
  begin: () => wire.slow(delayMs),
  end: () => wire.slow(0),
});

const databaseWireFaults = ({ name, wire }: Instance): ScheduledFault[] =>
  [...wireFaults(wire), slow(wire, slowDatabaseMs)].map((fault) => ({
    ...fault,
    name: `database of ${name} ${fault.name}`,
    group: "database",
    holds: fault.name !== "cut",
  }));

function processFaults(instance: Instance, leaseMs: number): ScheduledFault[] {
  let stopping: Promise<void> | null = null;
  return [
    {
      name: "SIGKILL",
      holds: false,
      begin: () => instance.kill(),
      // It is started again at once, also while another fault is still there.
      end: () => undefined,
    },
    {
      name: "SIGTERM",
      holds: false,
      begin: () => void (stopping = instance.terminate()),
      end: async () => void (await stopping),
    },
    {
      name: "SIGSTOP",
      holds: true,
      leastMs: leaseMs + 1_000,
      begin: () => instance.freeze(),
      end: () => instance.thaw(),
    },
  ].map((fault) => ({ ...fault, name: `${fault.name} of ${instance.name}`, group: "process" }));
}

const adapterFaults = (wire: Wire): ScheduledFault[] =>
  [
    ...wireFaults(wire),
    slow(wire, slowAdapterMs),
    { name: "torn", begin: () => wire.loseAnswers("torn"), end: () => wire.loseAnswers(null) },
    { name: "unheard", begin: () => wire.loseAnswers("whole"), end: () => wire.loseAnswers(null) },
  ].map((fault) => ({
    ...fault,
    name: `adapter ${fault.name}`,
    group: "adapter",
    holds: fault.name === "stalled" || fault.name === "slow",
  }));
