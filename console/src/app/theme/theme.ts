import { createTheme, type CSSVariablesResolver } from "@mantine/core";
import { colours } from "./colours.ts";

const sans = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif';
const mono =
  'ui-monospace, "SF Mono", "Cascadia Mono", "Segoe UI Mono", "Noto Sans Mono", "Liberation Mono", monospace';

/** Mantine renders the title bar of a dialog as a <header>, which screen readers announce as a second banner of the page. */
const noBanner = { role: "presentation" };

export const theme = createTheme({
  fontFamily: sans,
  fontFamilyMonospace: mono,
  colors: colours,
  primaryColor: "accent",
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: "sm",
  respectReducedMotion: true,
  cursorType: "pointer",
  focusRing: "auto",
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.125rem" },
  spacing: { xs: "0.5rem", sm: "0.75rem", md: "1rem", lg: "1.25rem", xl: "2rem" },
  headings: {
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "1.375rem", lineHeight: "1.3" },
      h2: { fontSize: "1.0625rem", lineHeight: "1.35" },
      h3: { fontSize: "0.9375rem", lineHeight: "1.4" },
    },
  },
  // By name and not by `extend()`, which would bring each of them into the first page.
  components: {
    ActionIcon: { defaultProps: { variant: "subtle", color: "gray", size: "md" } },
    Anchor: { defaultProps: { underline: "hover", inherit: true } },
    Badge: { defaultProps: { variant: "light", size: "md", tt: "none", fw: 550 } },
    Button: { defaultProps: { size: "xs", variant: "default" } },
    Drawer: {
      defaultProps: {
        overlayProps: { backgroundOpacity: 0.4 },
        closeButtonProps: { "aria-label": "Close" },
        attributes: { header: noBanner },
      },
    },
    Modal: {
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 0.4 },
        closeButtonProps: { "aria-label": "Close" },
        attributes: { header: noBanner },
      },
    },
    NavLink: { defaultProps: { variant: "light" } },
    Paper: { defaultProps: { withBorder: true, p: "md" } },
    Select: { defaultProps: { size: "xs", allowDeselect: false, checkIconPosition: "right" } },
    Table: { defaultProps: { fz: "sm", verticalSpacing: 6 } },
    TextInput: { defaultProps: { size: "xs" } },
    Textarea: { defaultProps: { size: "xs" } },
    NumberInput: { defaultProps: { size: "xs" } },
    Checkbox: { defaultProps: { size: "xs" } },
    Tooltip: {
      defaultProps: { withArrow: true, openDelay: 300, events: { hover: true, focus: true, touch: false } },
    },
  },
});

const names = Object.keys(colours).filter((name) => name !== "dark");
const shade = (name: string, index: number): string => `var(--mantine-color-${name}-${index})`;

/** What Mantine's defaults put below the contrast of WCAG AA, in both schemes; test:console-a11y measures it. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-body": "#ffffff",
    "--mantine-color-dimmed": shade("gray", 7),
    "--mantine-color-placeholder": shade("gray", 6),
    "--mantine-color-anchor": shade("accent", 7),
    "--mantine-color-error": shade("bad", 7),
    "--mantine-color-default-border": shade("gray", 3),
    ...Object.fromEntries(
      names.flatMap((name) => [
        [`--mantine-color-${name}-text`, shade(name, 8)],
        [`--mantine-color-${name}-filled`, shade(name, 7)],
        [`--mantine-color-${name}-filled-hover`, shade(name, 8)],
        [`--mantine-color-${name}-light`, shade(name, 1)],
        [`--mantine-color-${name}-light-hover`, shade(name, 2)],
        [`--mantine-color-${name}-light-color`, shade(name, 8)],
        [`--mantine-color-${name}-outline`, shade(name, 7)],
      ]),
    ),
    "--plinth-ground": shade("gray", 0),
    "--plinth-line": shade("gray", 2),
    "--plinth-code": shade("gray", 0),
  },
  dark: {
    "--mantine-color-body": shade("dark", 8),
    "--mantine-color-text": shade("dark", 0),
    "--mantine-color-dimmed": shade("dark", 2),
    "--mantine-color-placeholder": shade("dark", 2),
    "--mantine-color-anchor": shade("accent", 4),
    "--mantine-color-error": shade("bad", 4),
    "--mantine-color-default": shade("dark", 7),
    "--mantine-color-default-hover": shade("dark", 6),
    "--mantine-color-default-border": shade("dark", 5),
    ...Object.fromEntries(
      names.flatMap((name) => [
        [`--mantine-color-${name}-text`, shade(name, 3)],
        [`--mantine-color-${name}-filled`, shade(name, 7)],
        [`--mantine-color-${name}-filled-hover`, shade(name, 8)],
        [
          `--mantine-color-${name}-light`,
          `color-mix(in srgb, ${shade(name, 6)} 26%, var(--mantine-color-body))`,
        ],
        [
          `--mantine-color-${name}-light-hover`,
          `color-mix(in srgb, ${shade(name, 6)} 36%, var(--mantine-color-body))`,
        ],
        [`--mantine-color-${name}-light-color`, shade(name, 2)],
        [`--mantine-color-${name}-outline`, shade(name, 4)],
      ]),
    ),
    "--plinth-ground": shade("dark", 9),
    "--plinth-line": shade("dark", 6),
    "--plinth-code": shade("dark", 9),
  },
});
