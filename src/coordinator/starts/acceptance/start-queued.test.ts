import { expect, it } from "vitest";
import { systemContext } from "../../../platform/lib/request-context.ts";
import { silentLogger } from "../../../platform/lib/logger.ts";
import { askedOnceSilent } from "./start-queued.ts";

it("governance that is silent about one environment is asked about it once, and about the others", async () => {
  const asked: string[] = [];
  const unused = (): never => {
    throw new Error("nobody asks that");
  };
  const policies = askedOnceSilent({
    evaluate: unused,
    async fingerprint(_ctx, environment) {
      asked.push(environment);
      if (environment === "production") throw new Error("silent");
      return environment;
    },
  });
  const ask = (environment: string): Promise<string> =>
    policies
      .fingerprint(
        systemContext(silentLogger, () => new Date()),
        environment,
      )
      .catch(({ message }: Error) => message);
  const answers: string[] = [];
  for (const environment of ["production", "development", "production"]) answers.push(await ask(environment));
  expect(answers).toEqual(["silent", "development", "silent"]);
  expect(asked).toEqual(["production", "development"]);
});
