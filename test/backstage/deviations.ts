/** Where our answers are others than Backstage's, and why. docs/guides/backstage.md has the same sentences. */
import type { Release } from "./peers.ts";

export interface Deviation {
  /** As the guide says it, without its marks. */
  reason: string;
  /** Names of the cases by the release that they differ from. */
  cases: Partial<Record<Release, readonly string[]>>;
}

const both = (...names: string[]): Deviation["cases"] => ({ current: names, nunjucks: names });

export const deviations: readonly Deviation[] = [
  {
    reason:
      "Methods of texts that the newest release does not have, such as padStart, repeat, replaceAll and match, work here as they did before it.",
    cases: {
      current: [
        "@name.substr(-4)",
        "@name.padStart(20, '*')",
        "@digits.padStart(5, '0')",
        "@digits.padEnd(5)",
        "@digits.repeat(3)",
        "@slug.replaceAll('e', 'E')",
        "@slug.replaceAll(r/[aeiou]/g, '_')",
        "@slug.match(r/f(.)/)",
        "@slug.match(r/zzz/)",
        "@slug.match(r/e/g).length",
        "@slug.search(r/p/)",
        "@slug.at(-1)",
        "@unicode.normalize('NFD').length",
        "@on.toString()",
        "@tags.toString()",
      ],
    },
  },
  {
    reason:
      "A key whose text renders to nothing is left out, as before the newest release, which keeps it as an empty text.",
    cases: {
      current: [
        "${{ parameters.missing }}${{ parameters.empty }}",
        "{% if parameters.off %}yes{% endif %}",
        "{# note #}",
      ],
    },
  },
  {
    reason:
      "A text that is one statement keeps the type of what it renders, as before the newest release, which makes a text of it.",
    cases: {
      current: ["{% if parameters.on %}3{% endif %}", "{% if parameters.on %}true{% endif %}"],
    },
  },
  {
    reason: "A single expression keeps its type also when it trims the white space around it.",
    cases: { nunjucks: ["${{- parameters.count -}}"] },
  },
  {
    reason: "A text that is empty in the template stays, as in the newest release.",
    cases: { nunjucks: ["a literal empty text", "an object whose keys render to nothing", "catalog:write"] },
  },
  {
    reason: "What the filters safe and escape give is a text, never an object of the engine.",
    cases: { nunjucks: ["@html | safe", "@html | escape"] },
  },
  {
    reason:
      "Constructors, prototypes and the methods of every object are out of reach, as in the newest release.",
    cases: {
      nunjucks: ["@name.constructor.constructor('return 1')()", "@map.__proto__", "@map.hasOwnProperty('a')"],
    },
  },
  {
    reason:
      "The each of a step goes through lists and objects, not through the letters of a text, as in the newest release.",
    cases: { nunjucks: ["each: ${{ parameters.name }}"] },
  },
  {
    reason: "A repository address is taken apart whatever its host is, and needs no owner.",
    cases: both("'unknown.example?owner=a&repo=b' | parseRepoUrl", "'github.com?repo=b' | projectSlug"),
  },
  {
    reason: "fetch:plain:file makes the folders above its file.",
    cases: both("fetch:plain:file into a folder that is not there"),
  },
  {
    reason: "fetch:template still takes copyWithoutRender, which Backstage passes over.",
    cases: both("fetch:template with copyWithoutRender"),
  },
  {
    reason:
      "fs:readdir gives paths in the workspace as fullPath: the absolute path on the disk is not given.",
    cases: both("fs:readdir"),
  },
  {
    reason: "Inputs that an action does not know are passed over, so that templates for other releases run.",
    cases: both("an input beyond those of the action"),
  },
];
