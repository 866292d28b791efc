/** The path that a proxy serves the console below, such as `/plinth`; empty nearly always. */
const written = document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? "";

export const basePath = written.startsWith("/") ? written.replace(/\/+$/, "") : "";
