import type { IconName } from "../parts/page/icon.tsx";

/** The groups of the side navigation, in order. */
export const sections = ["Overview", "Products", "Governance", "Assistant", "Operations"] as const;

/** A page in the navigation and the palette; each `routes.tsx` exports its own. */
export interface NavigationEntry {
  to: string;
  label: string;
  icon: IconName;
  section: (typeof sections)[number];
  /** Place in its section, in steps of ten. */
  order: number;
  /** Further words by which the palette finds it. */
  words?: string;
  /** Shown to callers with one of these roles alone; to all when it is missing. */
  roles?: readonly string[];
}

/** Of the tour, which the address counts: `?tour=1`. */
export const tourSteps = 5;
