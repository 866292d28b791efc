import { it } from "vitest";
import { expectRestored, restoredTest } from "./restored-installation.ts";

it(restoredTest, () => expectRestored(3));
