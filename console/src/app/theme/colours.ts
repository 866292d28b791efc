import type { MantineColorsTuple } from "@mantine/core";

/**
 * Each scale has the same lightness at the same place, so that shade 8 on shade 1, white on shade 7, and shade 2 on the dark
 * grounds have at least the contrast that WCAG AA asks for, whatever the colour. A page uses them by meaning: `accent` for what can be
 * acted on, `good`, `warn` and `bad` for outcomes, `gray` for the rest.
 */
const scales = {
  accent: [
    "#f3f8fe",
    "#e3efff",
    "#c6dfff",
    "#9cc7ff",
    "#70acf8",
    "#4f8edc",
    "#3271bd",
    "#1f5ba1",
    "#144680",
    "#0c315d",
  ],
  good: [
    "#f0fbf3",
    "#def5e4",
    "#bde9cb",
    "#92d7aa",
    "#66bf88",
    "#41a26a",
    "#1b854f",
    "#006d3c",
    "#02552e",
    "#013d1f",
  ],
  warn: [
    "#fef6ed",
    "#fdebd7",
    "#f8d6b0",
    "#ecba80",
    "#d99b4f",
    "#bc7d25",
    "#9b6203",
    "#7e4f02",
    "#633d00",
    "#472a00",
  ],
  bad: [
    "#fef5f4",
    "#fee8e6",
    "#ffcfca",
    "#ffaba3",
    "#ff7b74",
    "#e7524f",
    "#c53133",
    "#a71821",
    "#850c16",
    "#61070e",
  ],
  gray: [
    "#f7f7f8",
    "#eceef0",
    "#dadde0",
    "#c0c4ca",
    "#a5aab0",
    "#878d94",
    "#6b7177",
    "#575b61",
    "#43474c",
    "#2f3236",
  ],
  dark: [
    "#e2e9f1",
    "#c1c8d0",
    "#a5abb4",
    "#81878f",
    "#5e646b",
    "#43484f",
    "#2d3239",
    "#1e232a",
    "#151a20",
    "#0d1218",
  ],
} satisfies Record<string, MantineColorsTuple>;

/** Mantine's own names are used inside its components, such as red for a field with an error. */
export const colours = {
  ...scales,
  blue: scales.accent,
  green: scales.good,
  yellow: scales.warn,
  orange: scales.warn,
  red: scales.bad,
};

export type Tone = "accent" | "good" | "warn" | "bad" | "gray";
