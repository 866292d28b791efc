import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { setNonce } from "get-nonce";
import type { ReactNode } from "react";
import { statusOf } from "../../api/error.ts";
import { isLongList } from "../../api/long-lists.ts";
import { theme, variables } from "./theme.ts";

const retries = 2;

/** What the server refused is refused again; what did not reach it may reach it. */
const shouldRetry = (failures: number, error: unknown): boolean => {
  const status = statusOf(error);
  return failures < retries && (status === undefined || status === 429 || status >= 502);
};

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: shouldRetry,
      staleTime: 5_000,
      networkMode: "always",
      refetchOnWindowFocus: ({ state }) => !isLongList(state.data),
    },
    mutations: { networkMode: "always" },
  },
});

const colorScheme = localStorageColorSchemeManager({ key: "plinth-color-scheme" });

/** The nonce of the answer that brought the page: the policy applies no other style element. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";

// For the style elements of what keeps the page from scrolling behind a dialog.
setNonce(styleNonce);

export const Providers = ({ children }: { children: ReactNode }): ReactNode => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={variables}
    colorSchemeManager={colorScheme}
    defaultColorScheme="auto"
    getStyleNonce={() => styleNonce}
  >
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  </MantineProvider>
);
