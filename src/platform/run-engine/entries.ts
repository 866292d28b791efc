/** Which works this process drives or is claiming, within its capacity in all and for one owner. */
import { createOwnerSlots } from "./owner-slots.ts";

export interface Entry<Driven> {
  /** Null while it is being claimed. */
  driven: Driven | null;
  owner: string | undefined;
}

export interface Entries<Driven> {
  get(id: string): Entry<Driven> | undefined;
  ids(): string[];
  driven(): Driven[];
  count(): number;
  /** How many more may be driven. */
  capacity(): number;
  /** How many more may be driven whoever owns them, besides those of the owners who have reached their limit. */
  capacityOfOwners(): { limit: number; full: string[] };
  /** Resolves when more may be driven, or when all callers are let go. */
  untilCapacity(): Promise<void>;
  letGo(): void;
  /** Also replaces the entry of the claim by that of the drive. */
  enter(id: string, entry: Entry<Driven>): void;
  /** Does nothing when the id has another entry by now. */
  leave(id: string, entry: Entry<Driven>): void;
}

export function createEntries<Driven>(parallel: number, parallelPerOwner: number): Entries<Driven> {
  const entries = new Map<string, Entry<Driven>>();
  const slots = createOwnerSlots(parallelPerOwner);
  const waiting: (() => void)[] = [];
  let isOpen = true;
  const freeSlot = (id: string): void => {
    const owner = entries.get(id)?.owner;
    if (owner !== undefined) slots.end(owner);
  };
  return {
    get: (id) => entries.get(id),
    ids: () => [...entries.keys()],
    driven: () => [...entries.values()].flatMap(({ driven }) => driven ?? []),
    count: () => entries.size,
    capacity: () => parallel - entries.size,
    capacityOfOwners: () => ({
      limit: Math.min(parallel - entries.size, slots.free()),
      full: slots.full(),
    }),
    async untilCapacity() {
      while (entries.size >= parallel && isOpen) await new Promise<void>((next) => waiting.push(next));
    },
    letGo() {
      isOpen = false;
      for (const next of waiting.splice(0)) next();
    },
    enter(id, entry) {
      freeSlot(id);
      entries.set(id, entry);
      if (entry.owner !== undefined) slots.begin(entry.owner);
    },
    leave(id, entry) {
      if (entries.get(id) !== entry) return;
      freeSlot(id);
      entries.delete(id);
      waiting.shift()?.();
    },
  };
}
