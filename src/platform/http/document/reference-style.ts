/** The style of the reference page, which its content security policy names by its hash. */
import { createHash } from "node:crypto";
import { Html } from "./html.ts";

const css = `
:root { color-scheme: light dark; --line: light-dark(#d5d9e0, #3a414d); --soft: light-dark(#f4f6f9, #20252e);
  --text: light-dark(#1b1f27, #e6e9ee); --dim: light-dark(#555e6e, #a8b1c0); --link: light-dark(#0b57b0, #8ab8ff); }
* { box-sizing: border-box; }
body { margin: 0; display: flex; align-items: flex-start; font: 15px/1.5 system-ui, sans-serif; color: var(--text);
  background: light-dark(#fff, #171b22); }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
nav { position: sticky; top: 0; width: 18rem; flex: none; height: 100vh; overflow-y: auto; padding: 1rem;
  border-right: 1px solid var(--line); font-size: 13px; }
nav h2 { font-size: 13px; margin: 1rem 0 .25rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li { padding: .1rem 0; }
main { flex: 1; min-width: 0; max-width: 62rem; padding: 1rem 2rem 4rem; }
main.alone { margin: 0 auto; }
h1 small, td small, p small { color: var(--dim); font-weight: normal; }
h2 { margin-top: 2.5rem; }
h3 { margin: 0 0 .25rem; }
h4 { margin: 1rem 0 .25rem; }
article { border: 1px solid var(--line); border-radius: 6px; padding: 1rem; margin: 1rem 0; scroll-margin-top: 1rem; }
article:target { border-color: var(--link); }
p { margin: .4rem 0; }
.call b { display: inline-block; min-width: 4rem; }
.get { color: light-dark(#0a6b3d, #63d29b); } .post { color: light-dark(#0b57b0, #8ab8ff); }
.put, .patch { color: light-dark(#8a5200, #f0b866); } .delete { color: light-dark(#b3261e, #ff9a92); }
.about, .note { color: var(--dim); font-size: 13px; }
.needed { color: light-dark(#b3261e, #ff9a92); }
code, pre { font: 13px/1.5 ui-monospace, monospace; }
code { overflow-wrap: anywhere; }
pre { background: var(--soft); padding: .75rem; border-radius: 4px; overflow-x: auto; margin: .25rem 0; max-height: 28rem; }
pre code { overflow-wrap: normal; }
summary { cursor: pointer; color: var(--dim); font-size: 13px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; font-size: 14px; }
th, td { text-align: left; vertical-align: top; padding: .3rem .5rem; border-top: 1px solid var(--line); }
td:first-child { white-space: nowrap; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; width: auto; height: auto; max-height: 40vh;
  border-right: 0; border-bottom: 1px solid var(--line); } main { padding: 1rem; } td:first-child { white-space: normal; } }
`;

export const pageStyle = new Html(`<style>${css}</style>`);

const hash = createHash("sha256").update(css).digest("base64");

/** Nothing runs on the page and nothing is loaded; its own style is all that is allowed. */
export const pagePolicy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
