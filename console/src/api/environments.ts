import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import { useSession } from "./session.ts";

const storageKey = "plinth-environment";

const remembered = (): string | null => {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
};

export interface EnvironmentChoice {
  /** The chosen one: of the address, else the remembered one, else the first that is configured. */
  environment: string;
  environments: string[];
  choose: (name: string) => void;
}

export const useEnvironment = (): EnvironmentChoice => {
  const { env } = useSearch({ strict: false });
  const navigate = useNavigate();
  const environments = useSession()?.environments ?? [];
  const stored = remembered();
  const kept = stored !== null && environments.includes(stored) ? stored : (environments[0] ?? "");
  const choose = useCallback(
    (name: string) => {
      try {
        localStorage.setItem(storageKey, name);
      } catch {
        // The address has it all the same.
      }
      void navigate({ to: ".", search: (previous) => ({ ...previous, env: name }) });
    },
    [navigate],
  );
  return { environment: env ?? kept, environments, choose };
};
