/** What publish-hosts.spawn.test.ts tests of GitHub, with the other hosts. */
import { describe } from "vitest";
import { kinds, testRepeatedAttempts, useHosts } from "./hosts/publishing.ts";

useHosts();

describe.each(kinds.filter((kind) => kind !== "github"))("publish:%s", testRepeatedAttempts);
