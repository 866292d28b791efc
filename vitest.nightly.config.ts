/** The cases that only `npm run test:nightly` runs. */
import { run } from "./vitest.config.ts";

export default run("nightly");
