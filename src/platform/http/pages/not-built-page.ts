/** What `/` shows where the console has not been built, as in a clone of the sources. */
import { html } from "../document/html.ts";
import { basePathPlaceholder, pageStyle } from "./page-policy.ts";

const css = `:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem; }
code { font: 14px/1.5 ui-monospace, monospace; }`;

export const notBuiltPage = `<!doctype html>\n${
  html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>Plinth</title>
      ${pageStyle(css)}
    </head>
    <body>
      <h1>The console is not built</h1>
      <p>
        The server runs. Build its console with <code>npm run build:console</code> and start the server again.
      </p>
      <p>The interfaces are described at <a href="${basePathPlaceholder}/docs">/docs</a>.</p>
    </body>
  </html>`.text
}\n`;
