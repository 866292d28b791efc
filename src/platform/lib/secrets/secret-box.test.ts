import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { createKeyRing, createSecretBox, distinctBytes, headOf, installationKey } from "./secret-box.ts";

const [old, present, strange] = [1, 2, 3].map((byte) => installationKey(Buffer.alloc(32, byte)));
const hidden = Buffer.from("CaNaRy");
const ringOf = (sealing = present!, all = [old!], naming = true) => createKeyRing({ sealing, all, naming });

it("opens what any of its keys has sealed, for the same owner only, and nothing that was changed", () => {
  const ring = ringOf();
  for (const box of [createSecretBox(old!.key), createSecretBox(present!.key), ring]) {
    const sealed = box.seal(hidden, "owner");
    expect(ring.open(sealed, "owner")).toEqual(hidden);
    expect(ring.open(sealed, "another")).toBeNull();
    for (const at of [0, 5, 14, 30, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8((changed[at] ?? 0) ^ 1, at);
      expect(ring.open(changed, "owner")).toBeNull();
    }
  }
  expect(ring.open(createSecretBox(strange!.key).seal(hidden, "owner"), "owner")).toBeNull();
  for (const bytes of [0, 3, 12, 40]) expect(ring.open(randomBytes(bytes), "owner")).toBeNull();
});

it("names the key, and opens what was sealed before keys had names", () => {
  const unnamed = createKeyRing({ sealing: old!, all: [], naming: false }).seal(hidden, "owner");
  expect(unnamed).toHaveLength(12 + 16 + hidden.length);
  expect(ringOf().open(unnamed, "owner")).toEqual(hidden);
  const sealed = ringOf().seal(hidden, "owner");
  expect(sealed.subarray(0, 12)).toEqual(headOf(present!));
  expect(sealed).toHaveLength(distinctBytes + hidden.length);
});

it("exchanges its keys", () => {
  const ring = ringOf(old, [old!]);
  const before = ring.seal(hidden, "owner");
  ring.use({ sealing: present!, all: [present!, old!], naming: true });
  expect(ring.seal(hidden, "owner").subarray(0, 12)).toEqual(headOf(present!));
  expect(ring.open(before, "owner")).toEqual(hidden);
  const derived = [present, old].map((key) => createSecretBox(key!.key).derive("a purpose"));
  expect([ring.derive("a purpose"), ...ring.deriveAll("a purpose")]).toEqual([derived[0], ...derived]);
  ring.use({ sealing: present!, all: [present!], naming: true });
  expect(ring.open(before, "owner")).toBeNull();
});
