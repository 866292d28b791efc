import { expect, test } from "vitest";
import { ownPath } from "./own-path.ts";

test.each([
  ["/units?q=a#b", "", "/units?q=a#b"],
  ["/data/plinth/units?q=a#b", "/data/plinth", "/units?q=a#b"],
  ["/data/plinth", "/data/plinth", "/"],
  ["/data/plinth?env=production", "/data/plinth", "/?env=production"],
  ["/data/plinth#top", "/data/plinth", "/#top"],
  // Only the first one is the proxy's.
  ["/data/plinth/data/plinth/x", "/data/plinth", "/data/plinth/x"],
  ["/data/plinths/x", "/data/plinth", "/data/plinths/x"],
  ["/units", "/data/plinth", "/units"],
])("%s below %j is %s", (path, base, own) => {
  expect(ownPath(path, base)).toBe(own);
});
