import "@mantine/core/styles.css";
import "./app/theme/global.css";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { watchMissingFiles } from "./app/missing-files.ts";
import { holdKeysOfEndedSession } from "./app/session/held-keys.ts";
import { Providers } from "./app/theme/providers.tsx";
import { router } from "./app/router.ts";

watchMissingFiles();
holdKeysOfEndedSession();
const element = document.querySelector("#root");
if (element === null) throw new Error("index.html has no element #root.");
createRoot(element).render(
  <StrictMode>
    <Providers>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
);
