import type { ReactNode } from "react";

/** Strokes on a grid of 16 by 16. */
const shapes = {
  home: "M2.5 7.5 8 2.8l5.5 4.7M4 6.5v6.7h8V6.5M6.8 13v-3.4h2.4V13",
  units: "M2.5 5 8 2l5.5 3v6L8 14l-5.5-3zM2.7 5.1 8 8l5.3-2.9M8 8v5.8",
  plan: "M3 3.5h4v3H3zM9 9.5h4v3H9zM5 6.5V11h4M7 5h4v4.5",
  adapter: "M5.5 2v3M10.5 2v3M3.5 5h9v3a4.5 4.5 0 0 1-9 0zM8 12.5V14.5",
  unknown: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M6.2 6.3A1.8 1.8 0 1 1 8 8.4v.8M8 11.4v.1",
  template: "M3 2.5h10v3H3zM3 8h4.5v5.5H3zM10 8h3v5.5h-3z",
  inbox: "M2.5 9 4.5 3h7l2 6v4h-11zM2.5 9h3.2l1 1.6h2.6l1-1.6h3.2",
  shield: "M8 2 13 4v4c0 3-2 5-5 6-3-1-5-3-5-6V4z",
  key: "M10 9.5A3.5 3.5 0 1 0 6.8 7.4L2.5 11.7V13.5H5V12h1.5v-1.5zM10.8 5.2v.1",
  chat: "M2.5 3h11v8H8l-3.5 2.8V11h-2z",
  pulse: "M1.8 8.5h3L6.6 4l2.8 8 1.8-3.5h3",
  log: "M3.5 2h9v12h-9zM5.8 5h4.4M5.8 8h4.4M5.8 11h2.5",
  bell: "M4 11V7a4 4 0 0 1 8 0v4l1 1.2H3zM6.7 14h2.6",
  webhook: "M8 3.2a2 2 0 0 0-1 3.8L4.6 11M8 5l2.6 4.6M5 11.5h6",
  clock: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M8 4.8V8l2.4 1.6",
  settings: "M2.5 4.5h6M11.5 4.5h2M2.5 11.5h2M7.5 11.5h6M8.5 3v3M4.5 10v3",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M10.4 10.4 13.8 13.8",
  copy: "M5.5 5.5h8v8h-8zM3 10.5h-.5v-8h8V3",
  check: "M3 8.5 6.5 12 13 4.5",
  close: "M3.5 3.5l9 9M12.5 3.5l-9 9",
  sun: "M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6M8 1.5v1.6M8 12.9v1.6M1.5 8h1.6M12.9 8h1.6M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M3.4 12.6l1.1-1.1M11.5 4.5l1.1-1.1",
  moon: "M13 9.5A5.5 5.5 0 1 1 6.5 3 4.5 4.5 0 0 0 13 9.5z",
  system: "M2 3h12v8H2zM5.5 14h5M8 11v3",
  user: "M8 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 8 8M2.8 13.8c.5-2.6 2.6-4 5.2-4s4.7 1.4 5.2 4",
  keyboard: "M1.5 4h13v8h-13zM4 6.5h.1M6.6 6.5h.1M9.2 6.5h.1M11.8 6.5h.1M4.5 9.5h7",
  up: "M4 9.5 8 5.5 12 9.5",
  plus: "M8 3v10M3 8h10",
  trash: "M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.7 9h5.6l.7-9M7 7v4M9 7v4",
  down: "M4 6.5 8 10.5 12 6.5",
  up: "M4 9.5 8 5.5 12 9.5",
  right: "M6.5 4 10.5 8 6.5 12",
  warning: "M8 2.5 14.2 13.5H1.8zM8 6.5v3.2M8 11.6v.1",
  lock: "M3.5 7h9v6.5h-9zM5.5 7V5a2.5 2.5 0 0 1 5 0v2",
  refresh: "M13 8a5 5 0 1 1-1.6-3.7M13 2v3h-3",
  external: "M6 3.5H3v9.5h9.5V10M9 2.5h4.5V7M13.3 2.7 7.5 8.5",
  menu: "M2.5 4h11M2.5 8h11M2.5 12h11",
  exit: "M9.5 2.5h-6v11h6M6.5 8h7M11 5.5 13.5 8 11 10.5",
  book: "M8 3.5C6.5 2.5 4.5 2.3 2.5 2.5v10c2-.2 4 0 5.5 1 1.5-1 3.5-1.2 5.5-1v-10c-2-.2-4 0-5.5 1zM8 3.5v10",
} as const;

export type IconName = keyof typeof shapes;

export const Icon = ({ name, size = 16 }: { name: IconName; size?: number }): ReactNode => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth={1.4}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden
    focusable={false}
  >
    <path d={shapes[name]} />
  </svg>
);
