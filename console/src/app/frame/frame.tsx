import { Burger, UnstyledButton } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState, type ReactNode } from "react";
import { basePath } from "../../api/base-path.ts";
import { sessionQuery } from "../../api/session.ts";
import { OfflineBanner } from "../../parts/states/connection.tsx";
import { Icon } from "../../parts/page/icon.tsx";
import { ErrorView, LoadingView } from "../../parts/states/views.tsx";
import { EnvironmentSwitch } from "./environment-switch.tsx";
import { SideNavigation } from "./side-navigation.tsx";
import { UserMenu } from "./user-menu.tsx";
import { useSignInWhenNeeded } from "./use-sign-in.ts";
import classes from "./frame.module.css";

const Palette = lazy(async () => ({ default: (await import("./palette.tsx")).Palette }));
const KeyboardHelp = lazy(async () => ({ default: (await import("./keyboard-help.tsx")).KeyboardHelp }));

/** What is around every page: navigation, header, and the states of session and connection. */
export const Frame = (): ReactNode => {
  const { pathname } = useLocation();
  const { data: session, error, refetch } = useQuery(sessionQuery);
  const isSignIn = pathname === "/sign-in";
  useSignInWhenNeeded(session, isSignIn);
  if (session === undefined) {
    return (
      <main className={classes["alone"]}>
        {error === null ? (
          <LoadingView />
        ) : (
          <ErrorView error={error} what="find out who you are" retry={() => void refetch()} />
        )}
      </main>
    );
  }
  if (isSignIn) {
    return (
      <main className={classes["alone"]}>
        <Outlet />
      </main>
    );
  }
  return session.caller === null ? <LoadingView label="Going to the sign-in" /> : <SignedInFrame />;
};

const SignedInFrame = (): ReactNode => {
  const [isMenuOpen, { toggle, close }] = useDisclosure(false);
  const dialogs = useDialogs();
  const { pathname } = useLocation();
  useEffect(close, [pathname, close]);
  return (
    <>
      <a href="#content" className={classes["skip"]}>
        Skip to the content
      </a>
      <header className={classes["header"]}>
        <Burger
          opened={isMenuOpen}
          onClick={toggle}
          hiddenFrom="sm"
          size="sm"
          aria-expanded={isMenuOpen}
          aria-label={isMenuOpen ? "Close the navigation" : "Open the navigation"}
        />
        <Link to="/" className={classes["brand"]}>
          <img src={`${basePath}/icon.svg`} width={22} height={22} alt="" />
          Plinth
        </Link>
        <UnstyledButton
          className={classes["search"]}
          onClick={dialogs.openPalette}
          aria-label={`Search or go to … ${searchKeys}`}
        >
          <Icon name="search" size={14} />
          <span className={classes["searchText"]}>Search or go to …</span>
          <kbd className={classes["key"]}>{searchKeys}</kbd>
        </UnstyledButton>
        <EnvironmentSwitch />
        <UserMenu onHelp={dialogs.openHelp} />
      </header>
      <div className={classes["navbar"]} data-open={isMenuOpen}>
        <SideNavigation />
      </div>
      <main id="content" tabIndex={-1} className={classes["main"]}>
        <OfflineBanner />
        <div className={classes["page"]}>
          <Outlet />
        </div>
      </main>
      <Suspense>
        {dialogs.wasPaletteOpen && <Palette opened={dialogs.isPaletteOpen} onClose={dialogs.closePalette} />}
        {dialogs.wasHelpOpen && <KeyboardHelp opened={dialogs.isHelpOpen} onClose={dialogs.closeHelp} />}
      </Suspense>
    </>
  );
};

const searchKeys = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘ K" : "Ctrl K";

/** The palette and the help, which are loaded when first opened. */
const useDialogs = () => {
  const [open, setOpen] = useState<"palette" | "help" | null>(null);
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const show = (name: "palette" | "help") => () => {
    setSeen((before) => new Set([...before, name]));
    setOpen(name);
  };
  const close = (): void => setOpen(null);
  useHotkeys([["mod+K", show("palette")]], []);
  useHotkeys([
    ["shift+?", show("help")],
    ["?", show("help")],
    ["/", show("palette")],
  ]);
  return {
    openPalette: show("palette"),
    openHelp: show("help"),
    closePalette: close,
    closeHelp: close,
    isPaletteOpen: open === "palette",
    isHelpOpen: open === "help",
    wasPaletteOpen: seen.has("palette"),
    wasHelpOpen: seen.has("help"),
  };
};
