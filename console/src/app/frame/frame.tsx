import { ActionIcon, Burger, UnstyledButton } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState, type ReactNode } from "react";
import { basePath } from "../../api/base-path.ts";
import { sessionQuery } from "../../api/session.ts";
import { OfflineBanner } from "../../parts/states/connection.tsx";
import { Icon } from "../../parts/page/icon.tsx";
import { ErrorView, LoadingView } from "../../parts/states/views.tsx";
import { SessionEnded } from "../session/session-ended.tsx";
import { useSignInWhenNeeded } from "../session/use-sign-in.ts";
import { EnvironmentSwitch } from "./environment-switch.tsx";
import { SideNavigation } from "./side-navigation.tsx";
import { askButtonId, useAssistantBeside, type AssistantBeside } from "./use-assistant.ts";
import { UserMenu } from "./user-menu.tsx";
import classes from "./frame.module.css";

const Palette = lazy(async () => ({ default: (await import("./palette.tsx")).Palette }));
const Tour = lazy(async () => ({ default: (await import("../tour/tour.tsx")).Tour }));
const AssistantPanel = lazy(async () => ({
  default: (await import("../../pages/assistant/panel/assistant-panel.tsx")).AssistantPanel,
}));
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
  const assistant = useAssistantBeside();
  const { pathname } = useLocation();
  const { tour } = useSearch({ strict: false });
  useEffect(close, [pathname, close]);
  return (
    <>
      <a href="#content" className={classes["skip"]}>
        Skip to the content
      </a>
      <FrameHeader
        isMenuOpen={isMenuOpen}
        onMenu={toggle}
        assistant={assistant}
        onPalette={dialogs.openPalette}
        onHelp={dialogs.openHelp}
      />
      <div className={classes["navbar"]} data-open={isMenuOpen}>
        <SideNavigation />
      </div>
      <main id="content" tabIndex={-1} className={classes["main"]} data-beside={assistant.isOpen}>
        <OfflineBanner />
        <div className={classes["page"]}>
          <Outlet />
        </div>
        {tour !== undefined && (
          <Suspense>
            <Tour step={tour} />
          </Suspense>
        )}
      </main>
      {assistant.isOpen && (
        <aside aria-label="Assistant" className={classes["aside"]}>
          <Suspense fallback={<LoadingView />}>
            <AssistantPanel
              sessionId={assistant.sessionId}
              startsFocused={assistant.wasAsked}
              onClose={assistant.close}
            />
          </Suspense>
        </aside>
      )}
      <SessionEnded />
      <Suspense>
        {dialogs.wasPaletteOpen && <Palette opened={dialogs.isPaletteOpen} onClose={dialogs.closePalette} />}
        {dialogs.wasHelpOpen && <KeyboardHelp opened={dialogs.isHelpOpen} onClose={dialogs.closeHelp} />}
      </Suspense>
    </>
  );
};

interface FrameHeaderProps {
  isMenuOpen: boolean;
  onMenu: () => void;
  assistant: AssistantBeside;
  onPalette: () => void;
  onHelp: () => void;
}

const FrameHeader = (props: FrameHeaderProps): ReactNode => {
  const { isMenuOpen, onMenu, assistant, onPalette, onHelp } = props;
  return (
    <header className={classes["header"]}>
      <Burger
        opened={isMenuOpen}
        onClick={onMenu}
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
        onClick={onPalette}
        aria-label={`Search or go to … ${searchKeys}`}
      >
        <Icon name="search" size={14} />
        <span className={classes["searchText"]}>Search or go to …</span>
        <kbd className={classes["key"]}>{searchKeys}</kbd>
      </UnstyledButton>
      <EnvironmentSwitch />
      {assistant.isOffered && (
        <ActionIcon
          id={askButtonId}
          aria-label="Ask the assistant"
          title="Ask the assistant (a)"
          aria-expanded={assistant.isOpen}
          size="lg"
          variant="default"
          onClick={assistant.isOpen ? assistant.close : assistant.open}
        >
          <Icon name="chat" />
        </ActionIcon>
      )}
      <UserMenu onHelp={onHelp} />
    </header>
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
