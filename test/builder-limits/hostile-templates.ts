/** Templates that do what no template should, and what has to come of each. */

export interface HostileTemplate {
  name: string;
  /** A step's action and input. */
  action: string;
  input: Record<string, unknown>;
  /**
   * `refused`: 400 before anything runs, with the place. `stopped`: the step fails, with the place. `nothing`: what it
   * reaches for is not there, so the text is empty and the task goes on.
   */
  end: "refused" | "stopped" | "nothing";
  /** Key of the input that has to be named. */
  key: string;
}

/** One text, two levels down in the input. */
const says = (name: string, end: HostileTemplate["end"], text: string): HostileTemplate => ({
  name,
  end,
  action: "debug:log",
  input: { list: ["harmless", text] },
  key: "list.1",
});

const fetches = (name: string, input: Record<string, unknown>, key: string): HostileTemplate => ({
  name,
  end: "stopped",
  action: "fetch:plain",
  input,
  key,
});

const doublingList = (times: number): string =>
  `{% set s = 'xxxxxxxxxx' %}{% for i in range(${times}) %}{% set s = s + s %}{% endfor %}\${{ s }}`;

export const hostileTemplates: readonly HostileTemplate[] = [
  says("loops", "stopped", "{% for i in range(100000000) %}x{% endfor %}"),
  says(
    "loops-in-loops",
    "stopped",
    "{% for a in range(3000) %}{% for b in range(3000) %}{% for c in range(3000) %}${{ a + b }}{% endfor %}{% endfor %}{% endfor %}",
  ),
  says("recurses", "stopped", "{% macro f(n) %}${{ f(n) }}{% endmacro %}${{ f(1) }}"),
  says(
    "recurses-in-turns",
    "stopped",
    "{% macro g(n) %}${{ f(n) }}${{ f(n) }}{% endmacro %}{% macro f(n) %}${{ g(n) }}${{ g(n) }}{% endmacro %}${{ f(1) }}",
  ),
  says("nests", "refused", `\${{ ${"(".repeat(20_000)}1${")".repeat(20_000)} }}`),
  says("allocates-text", "stopped", doublingList(40)),
  says(
    "allocates-lists",
    "stopped",
    "{% set l = [1,2,3] %}{% for i in range(40) %}{% set l = [l, l, l, l] %}{% endfor %}${{ l | dump }}",
  ),
  says("regex-exponential", "stopped", `\${{ '${"a".repeat(40)}!' | replace(r/^(a+)+$/, 'b') }}`),
  says("regex-nested", "stopped", `\${{ '${"ab".repeat(40)}!' | replace(r/^((ab)*)*$/, 'b') }}`),
  says("regex-polynomial", "stopped", `\${{ '${"a".repeat(9_000)}' | replace(r/a*a*a*a*a*b/, '') }}`),
  says("constructor", "refused", "${{ ''.constructor.constructor('return process')() }}"),
  says("constructor-by-parts", "stopped", "${{ ''['constr' + 'uctor']('return process')() }}"),
  says("prototype", "refused", "${{ parameters.__proto__.polluted }}"),
  says("prototype-by-parts", "nothing", "${{ parameters['__pro' + 'to__'] }}"),
  says("process", "nothing", "${{ process.env.HOME }}"),
  says("process-ends", "stopped", "${{ process.exit(1) }}"),
  says("requires", "stopped", "${{ require('node:fs').readFileSync('/etc/passwd') }}"),
  says("includes", "refused", "{% include '/etc/passwd' %}"),
  says("imports", "refused", "{% import '/etc/passwd' as all %}${{ all.x }}"),
  fetches("reads-files", { url: "file:///etc/passwd", targetPath: "x" }, "url"),
  fetches("climbs", { url: "${{ '../' }}../../../../etc", targetPath: "x" }, "url"),
  fetches("writes-elsewhere", { url: ".", targetPath: "${{ '../../' }}escaped" }, "targetPath"),
];

/** Large, but within every limit: nothing is wrong with it, and the server has to carry it. */
export const largeTemplate = {
  name: "large",
  action: "debug:log",
  input: { message: doublingList(16) },
};

export function entityOf({
  name,
  action,
  input,
}: Pick<HostileTemplate, "name" | "action" | "input">): object {
  return {
    apiVersion: "scaffolder.backstage.io/v1beta3",
    kind: "Template",
    metadata: { name },
    spec: {
      type: "system",
      owner: "user:default/guest",
      parameters: { properties: { name: { type: "string" } } },
      steps: [{ id: "bad", action, input }],
    },
  };
}
