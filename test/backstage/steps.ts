/** Steps that both scaffolders run dry; what they leave in the workspace and put out is compared. */

export interface StepCase {
  name: string;
  steps: Record<string, unknown>[];
  /** Beside the template. */
  files?: Record<string, string>;
  output?: Record<string, unknown>;
  values?: Record<string, unknown>;
}

const skeleton = {
  "skeleton/README.md": "# ${{ values.name }}\n{% if values.on %}on{% endif %}\n",
  "skeleton/${{ values.name }}.txt": "${{ values.name | upper }} ${{ values.missing }}|\n",
  "skeleton/{% if values.off %}left-out.txt{% endif %}": "left out\n",
  "skeleton/{% if values.on %}kept.txt{% endif %}": "kept\n",
  "skeleton/deep/er/list.yaml": "{% for t in values.tags %}- ${{ t }}\n{% endfor %}",
  "skeleton/raw/keep.txt": "${{ values.name }}\n",
  "skeleton/raw/${{ values.name }}.raw": "${{ values.name }}\n",
  "skeleton/.hidden": "${{ values.name }}\n",
};
const given = { name: "fleet", on: true, off: false, tags: ["a", "b"] };
const plain = { "plain/a.txt": "a ${{ values.name }}\n", "plain/deep/b.md": "b\n", "plain/c.md": "c\n" };

const step = (
  action: string,
  input: Record<string, unknown> = {},
  more: object = {},
): Record<string, unknown> => ({
  id: action.split(":").at(-1),
  name: action,
  action,
  input,
  ...more,
});
const fetchPlain = step("fetch:plain", { url: "./plain" });
const template = (input: Record<string, unknown>): Record<string, unknown>[] => [
  step("fetch:template", { url: "./skeleton", values: given, ...input }),
];

export const stepCases: readonly StepCase[] = [
  { name: "fetch:plain of a folder", steps: [fetchPlain], files: plain },
  {
    name: "fetch:plain into a folder",
    steps: [step("fetch:plain", { url: "plain", targetPath: "in/to" })],
    files: plain,
  },
  {
    name: "fetch:plain of what is not there",
    steps: [step("fetch:plain", { url: "./never" })],
    files: plain,
  },
  {
    name: "fetch:plain out of the template's folder",
    steps: [step("fetch:plain", { url: "../../etc" })],
    files: plain,
  },
  {
    name: "fetch:plain to a place outside",
    steps: [step("fetch:plain", { url: "./plain", targetPath: "../out" })],
    files: plain,
  },
  {
    name: "fetch:plain:file into a folder that is not there",
    steps: [step("fetch:plain:file", { url: "./plain/a.txt", targetPath: "new/b.txt" })],
    files: plain,
  },
  {
    name: "fetch:plain:file",
    steps: [step("fetch:plain:file", { url: "./plain/a.txt", targetPath: "b.txt" })],
    files: plain,
  },
  { name: "fetch:template", steps: template({}), files: skeleton },
  { name: "fetch:template into a folder", steps: template({ targetPath: "./out" }), files: skeleton },
  {
    name: "fetch:template with copyWithoutTemplating",
    steps: template({ copyWithoutTemplating: ["raw/**"] }),
    files: skeleton,
  },
  {
    name: "fetch:template with copyWithoutTemplating of a folder",
    steps: template({ copyWithoutTemplating: ["raw"] }),
    files: skeleton,
  },
  {
    name: "fetch:template with copyWithoutTemplating of an extension",
    steps: template({ copyWithoutTemplating: ["**/*.{raw,md}", ".hidden"] }),
    files: skeleton,
  },
  {
    name: "fetch:template with copyWithoutTemplating of a single star",
    steps: template({ copyWithoutTemplating: ["*"] }),
    files: skeleton,
  },
  {
    name: "fetch:template with copyWithoutRender",
    steps: template({ copyWithoutRender: ["raw/**"] }),
    files: skeleton,
  },
  {
    name: "fetch:template with templateFileExtension",
    steps: template({ templateFileExtension: true }),
    files: {
      "skeleton/a.txt.njk": "${{ values.name }}",
      "skeleton/${{ values.name }}.txt": "${{ values.name }}",
    },
  },
  {
    name: "fetch:template with an extension of one's own",
    steps: template({ templateFileExtension: ".tpl" }),
    files: { "skeleton/a.tpl": "${{ values.name }}", "skeleton/b.txt": "${{ values.name }}" },
  },
  {
    name: "fetch:template with trimBlocks and lstripBlocks",
    steps: template({ trimBlocks: true, lstripBlocks: true }),
    files: { "skeleton/a.txt": "a\n  {% if values.on %}\n  b\n  {% endif %}\nc\n" },
  },
  {
    name: "fetch:template keeps white space without them",
    steps: template({}),
    files: { "skeleton/a.txt": "a\n  {% if values.on %}\n  b\n  {% endif %}\nc\n" },
  },
  {
    name: "fetch:template leaves what is there",
    steps: [step("fetch:plain", { url: "./plain" }), ...template({ url: "./skeleton" })],
    files: { "plain/a.txt": "old", "skeleton/a.txt": "new", "skeleton/b.txt": "new" },
  },
  {
    name: "fetch:template replaces when told",
    steps: [step("fetch:plain", { url: "./plain" }), ...template({ url: "./skeleton", replace: true })],
    files: { "plain/a.txt": "old", "skeleton/a.txt": "new" },
  },
  {
    name: "fetch:template with cookiecutterCompat",
    steps: template({ cookiecutterCompat: true }),
    files: {
      "skeleton/{{cookiecutter.name}}.txt": "{{ cookiecutter.name }} {{ cookiecutter.tags | jsonify }}",
    },
  },
  {
    name: "fetch:template with an error in a file",
    steps: template({}),
    files: { "skeleton/a.txt": "${{ values.name | shout }}" },
  },
  {
    name: "fetch:template with a name that leads out",
    steps: template({ values: { name: "../../out" } }),
    files: { "skeleton/${{ values.name }}.txt": "x" },
  },
  {
    name: "fetch:template:file",
    steps: [
      step("fetch:template:file", { url: "./skeleton/README.md", targetPath: "out/R.md", values: given }),
    ],
    files: skeleton,
  },
  {
    name: "fetch:template:file leaves what is there",
    steps: [
      fetchPlain,
      step("fetch:template:file", { url: "./skeleton/README.md", targetPath: "a.txt", values: given }),
    ],
    files: { ...plain, ...skeleton },
  },
  {
    name: "fs:delete of files and patterns",
    steps: [fetchPlain, step("fs:delete", { files: ["a.txt", "**/*.md"] })],
    files: plain,
  },
  {
    name: "fs:delete of a folder",
    steps: [fetchPlain, step("fs:delete", { files: ["deep"] })],
    files: plain,
  },
  {
    name: "fs:delete of all that lies in a folder itself",
    steps: [fetchPlain, step("fs:delete", { files: ["*", "deep/*"] })],
    files: { ...plain, "plain/deep/er/x.txt": "x" },
  },
  {
    name: "fs:delete of what is not there",
    steps: [fetchPlain, step("fs:delete", { files: ["never"] })],
    files: plain,
  },
  { name: "fs:delete outside", steps: [fetchPlain, step("fs:delete", { files: ["../x"] })], files: plain },
  {
    name: "fs:rename",
    steps: [fetchPlain, step("fs:rename", { files: [{ from: "a.txt", to: "x/y.txt" }] })],
    files: plain,
  },
  {
    name: "fs:rename of a folder",
    steps: [fetchPlain, step("fs:rename", { files: [{ from: "deep", to: "other" }] })],
    files: plain,
  },
  {
    name: "fs:rename onto a file",
    steps: [fetchPlain, step("fs:rename", { files: [{ from: "a.txt", to: "c.md" }] })],
    files: plain,
  },
  {
    name: "fs:rename onto a file, overwriting",
    steps: [fetchPlain, step("fs:rename", { files: [{ from: "a.txt", to: "c.md", overwrite: true }] })],
    files: plain,
  },
  {
    name: "fs:rename of what is not there",
    steps: [fetchPlain, step("fs:rename", { files: [{ from: "no", to: "c" }] })],
    files: plain,
  },
  {
    name: "fs:readdir",
    steps: [fetchPlain, step("fs:readdir", { paths: ["."] })],
    output: { files: "${{ steps.readdir.output.files }}", folders: "${{ steps.readdir.output.folders }}" },
    files: plain,
  },
  {
    name: "fs:readdir of all below",
    steps: [fetchPlain, step("fs:readdir", { paths: ["deep"], recursive: true })],
    output: {
      n: "${{ steps.readdir.output.files | length }}",
      of: "${{ steps.readdir.output.files | join(',', 'path') }}",
    },
    files: plain,
  },
  {
    name: "catalog:write",
    steps: [
      step("catalog:write", {
        entity: {
          apiVersion: "backstage.io/v1alpha1",
          kind: "Component",
          metadata: { name: "fleet", annotations: { a: "1" }, tags: ["x"] },
          spec: { type: "service", owner: "sailors", on: true, n: 1, text: "a: b\nc", empty: "" },
        },
      }),
    ],
  },
  {
    name: "catalog:write to a path",
    steps: [
      step("catalog:write", { filePath: "a/b.yaml", entity: { kind: "API", metadata: { name: "x" } } }),
    ],
  },
  { name: "catalog:write without an entity", steps: [step("catalog:write", {})] },
  {
    name: "catalog:fetch",
    steps: [step("catalog:fetch", { entityRef: "component:default/known" })],
    output: {
      kind: "${{ steps.fetch.output.entity.kind }}",
      name: "${{ steps.fetch.output.entity.metadata.name }}",
    },
  },
  {
    name: "catalog:fetch of several, some of them missing",
    steps: [step("catalog:fetch", { entityRefs: ["component:known", "component:never"], optional: true })],
    output: {
      second: "${{ steps.fetch.output.entities[1] }}",
      length: "${{ steps.fetch.output.entities | length }}",
    },
  },
  {
    name: "catalog:fetch of what is not there",
    steps: [step("catalog:fetch", { entityRef: "component:never" })],
  },
  { name: "debug:log", steps: [step("debug:log", { message: "Said: ${{ parameters.name }}" })] },
  {
    name: "debug:log of the workspace",
    steps: [fetchPlain, step("debug:log", { listWorkspace: true })],
    files: plain,
  },
  { name: "debug:wait is left out of a dry run", steps: [step("debug:wait", { milliseconds: 1 })] },
  { name: "an action that nobody knows", steps: [step("no:such")] },
  { name: "an input that the action does not take", steps: [step("fs:delete", { files: "x" })] },
  { name: "an input beyond those of the action", steps: [step("debug:log", { message: "x", more: 1 })] },
  {
    name: "if: a false literal",
    steps: [step("catalog:write", { entity: { metadata: {} } }, { if: false })],
  },
  ...[
    "${{ parameters.on }}",
    "${{ parameters.off }}",
    "${{ parameters.missing }}",
    "${{ parameters.blank }}",
    "${{ parameters.tags }}",
    "${{ parameters.empty }}",
    "${{ parameters.name == 'fleet' }}",
    "${{ not parameters.on }}",
    "false",
    "${{ 'false' }}",
    "{% if parameters.off %}x{% endif %}",
    "${{ always() }}",
    "${{ failure() }}",
  ].map((condition) => ({
    name: `if: ${condition}`,
    steps: [step("fetch:plain", { url: "./plain" }, { if: condition })],
    files: plain,
  })),
  ...[
    "${{ parameters.tags }}",
    "${{ parameters.map }}",
    "${{ parameters.blank }}",
    "${{ parameters.name }}",
    "${{ parameters.missing }}",
  ].map((each) => ({
    name: `each: ${each}`,
    steps: [
      step(
        "fetch:plain:file",
        { url: "./plain/a.txt", targetPath: "${{ each.key }}-${{ each.value }}.txt" },
        { each },
      ),
    ],
    files: plain,
  })),
  {
    name: "each with an if",
    steps: [
      step(
        "fetch:plain:file",
        { url: "./plain/a.txt", targetPath: "${{ each.value }}.txt" },
        { each: ["x", "y"], if: "${{ each.value == 'y' }}" },
      ),
    ],
    files: plain,
  },
  {
    name: "outputs of an each",
    steps: [fetchPlain, step("fs:readdir", { paths: ["${{ each.value }}"] }, { each: [".", "deep"] })],
    output: {
      counts: "${{ steps.readdir.output.files[1] | length }}",
      n: "${{ steps.readdir.output.files | length }}",
    },
    files: plain,
  },
  {
    name: "a step after one that failed",
    steps: [step("fs:rename", { files: [{ from: "no", to: "x" }] }), { ...fetchPlain, id: "after" }],
    files: plain,
  },
  {
    name: "outputs with links that have an if",
    steps: [fetchPlain],
    output: {
      links: [
        { title: "A", url: "https://a.example/${{ parameters.name }}" },
        { if: "${{ parameters.off }}", title: "B", url: "https://b.example" },
        { if: "${{ parameters.on }}", title: "C", url: "https://c.example" },
      ],
      text: [{ title: "T", content: "**${{ parameters.count }}**", if: "${{ parameters.missing }}" }],
    },
    files: plain,
  },
];

export const stepValues = {
  name: "fleet",
  on: true,
  off: false,
  blank: [],
  empty: "",
  count: 3,
  tags: ["a", "b"],
  map: { north: "n", south: "s" },
};
