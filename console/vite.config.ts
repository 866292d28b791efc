import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compressedFiles } from "./compressed-files.ts";

/** The server that answers the interfaces while `npm run dev` serves the pages. */
const server = process.env["PLINTH_URL"] ?? "http://127.0.0.1:7007";
const proxy = Object.fromEntries(
  ["/api", "/v1", "/graphql", "/docs"].map((path) => [path, { target: server }]),
);

export default defineConfig({
  plugins: [react(), compressedFiles()],
  // The server puts a new nonce in place of this into each answer.
  html: { cspNonce: "__CSP_NONCE__" },
  experimental: {
    // Pages may be served below a path, which the server writes into index.html; files find each other by where they are.
    renderBuiltUrl: (file, { hostType }) =>
      hostType === "html" ? `__BASE_PATH__/${file}` : { relative: true },
  },
  server: { proxy },
  preview: { proxy },
  build: {
    target: "es2023",
    // The policy for pages allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
});
