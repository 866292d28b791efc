import { expect, it } from "vitest";
import { builderFailure, toBody } from "../errors.ts";
import { parameterErrors } from "./parameter-errors.ts";

it("says of each parameter where it is and what is wrong with it", () => {
  const problems = [
    { where: "/values/name", message: "It is missing." },
    { where: "/values/columns/0/a~1b", message: "It must be a text." },
    { where: "/templateRef", message: "There is no such template." },
  ];
  expect(parameterErrors(problems)).toEqual([
    {
      path: ["name"],
      property: "instance.name",
      message: "It is missing.",
      stack: "instance.name: It is missing.",
    },
    {
      path: ["columns", 0, "a/b"],
      property: "instance.columns[0].a/b",
      message: "It must be a text.",
      stack: "instance.columns[0].a/b: It must be a text.",
    },
  ]);
});

it.each([
  ["/api/scaffolder/v2/tasks", ["name"]],
  ["/api/scaffolder/v2/dry-run?x", ["name"]],
  ["/api/builder/templates/instantiate", undefined],
])("%s answers the errors %j", (url, first) => {
  const problems = [{ where: "/values/name", message: "It is missing." }];
  const failure = builderFailure("BUILDER_INVALID_INSTANTIATION", { message: "No.", problems });
  const { status, body } = toBody(failure, { method: "POST", url });
  expect([status, body.error.problems, body.errors?.[0]?.path]).toEqual([400, problems, first]);
});
