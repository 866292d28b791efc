import { NavLink, Text } from "@mantine/core";
import { Link, useLocation } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useSession } from "../../api/session.ts";
import { Icon } from "../../parts/page/icon.tsx";
import { navigation } from "../groups.ts";
import { sections, type NavigationEntry } from "../navigation.ts";
import classes from "./side-navigation.module.css";

export const SideNavigation = (): ReactNode => {
  const { pathname } = useLocation();
  const entries = useOpenPages();
  const current = currentEntry(entries, pathname);
  return (
    <nav aria-label="Pages" className={classes["nav"]}>
      {sections.map((section) => {
        const shown = entries.filter((entry) => entry.section === section);
        return shown.length === 0 ? null : (
          <div key={section} role="group" aria-labelledby={`nav-${section}`} className={classes["group"]}>
            <Text id={`nav-${section}`} className={classes["section"]}>
              {section}
            </Text>
            {shown.map((entry) => (
              <NavLink
                key={entry.to}
                component={Link}
                to={entry.to}
                label={entry.label}
                leftSection={<Icon name={entry.icon} />}
                // The router finds each beginning of an address active, so /assistant on /assistant/usage as well.
                activeOptions={{ exact: true, includeSearch: false }}
                active={entry === current}
                aria-current={entry === current ? "page" : undefined}
                className={classes["link"]}
              />
            ))}
          </div>
        );
      })}
    </nav>
  );
};

/** The pages that the caller's roles open. */
export const useOpenPages = (): NavigationEntry[] => {
  const roles = useSession()?.caller?.roles ?? [];
  return navigation.filter(
    (entry) => entry.roles === undefined || entry.roles.some((role) => roles.includes(role)),
  );
};

/** The entry with the longest beginning of the address, so that a unit's page shows Units. */
const currentEntry = (entries: readonly NavigationEntry[], pathname: string): NavigationEntry | undefined =>
  entries
    .filter(({ to }) => pathname === to || (to !== "/" && pathname.startsWith(`${to}/`)))
    .toSorted((a, b) => b.to.length - a.to.length)[0];
