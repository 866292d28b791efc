import fc from "fast-check";
import { expect, it } from "vitest";
import { createCallerNetworks, widerNetwork } from "./caller-network.ts";

const callerNetwork = createCallerNetworks();

it.each([
  ["192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:db8:1:2::", "2001:db8:1:2"],
  ["2001:db8::1", "2001:db8:0:0"],
  ["2001:DB8:0001::1", "2001:db8:1:0"],
  ["2001::3:4:5:6:7:8", "2001:0:3:4"],
  ["::2:3:4:5:6:7:8", "0:2:3:4"],
  ["1:2:3::5:6:7:8", "1:2:3:0"],
  ["fe80::1%eth0", "fe80:0:0:0"],
  ["2001:db8::192.0.2.1", "2001:db8:0:0"],
  // Everybody with an IPv4 address would be one caller.
  ["::ffff:192.0.2.1", "::ffff:192.0.2.1"],
  ["::ffff:c000:201", "::ffff:c000:201"],
  ["64:ff9b::192.0.2.1", "64:ff9b::192.0.2.1"],
  ["64:ff9b::c000:201", "64:ff9b::c000:201"],
  ["::1", "::1"],
])("requests of %s are counted under %s", (address, network) => {
  expect([callerNetwork(address), callerNetwork(address)]).toEqual([network, network]);
});

it("is the same however the address is written", () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  const groups = fc.array(fc.oneof(fc.constant(0), group), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(groups, ([first = 0, ...rest]) => {
      // Outside of what holds IPv4 addresses.
      const all = [0x2000 + (first % 0x1000), ...rest];
      const plain = all.map((each) => each.toString(16)).join(":");
      const padded = all.map((each) => each.toString(16).padStart(4, "0").toUpperCase()).join(":");
      const short = new URL(`http://[${plain}]/`).hostname.slice(1, -1);
      const network = all
        .slice(0, 4)
        .map((each) => each.toString(16))
        .join(":");
      expect([plain, padded, short].map((each) => callerNetwork(each))).toEqual([network, network, network]);
    }),
  );
});

it.each([
  ["192.0.2.1", "192.0"],
  ["2001:db8:1:2", "2001:db8"],
])("the wider network of %s is %s", (network, wider) => {
  expect(widerNetwork(network)).toBe(wider);
});
