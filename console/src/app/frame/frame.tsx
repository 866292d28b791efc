import { ActionIcon, Burger, Button, Modal, Stack, UnstyledButton } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation, useSearch } from "@tanstack/react-router";
import { useEffect, useState, type ReactNode } from "react";
import { basePath } from "../../api/base-path.ts";
import { sessionQuery } from "../../api/session.ts";
import { OfflineBanner } from "../../parts/states/connection.tsx";
import { Icon } from "../../parts/page/icon.tsx";
import { ErrorView, LoadingView } from "../../parts/states/views.tsx";
import { LoadedPart, type LoadedPartProps } from "../loaded-part.tsx";
import { SessionEnded } from "../session/session-ended.tsx";
import { useSignInWhenNeeded } from "../session/use-sign-in.ts";
import { EnvironmentSwitch } from "./environment-switch.tsx";
import { SideNavigation } from "./side-navigation.tsx";
import { askButtonId, useAssistantBeside, type AssistantBeside } from "./use-assistant.ts";
import { UserMenu } from "./user-menu.tsx";
import classes from "./frame.module.css";

const loadPalette = () => import("./palette.tsx");
const loadTour = () => import("../tour/tour.tsx");
const loadAssistantPanel = () => import("../../pages/assistant/panel/assistant-panel.tsx");
const loadKeyboardHelp = () => import("./keyboard-help.tsx");

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
          <LoadedPart name="The tour" load={loadTour}>
            {({ Tour }) => <Tour step={tour} />}
          </LoadedPart>
        )}
      </main>
      {assistant.isOpen && <AssistantAside assistant={assistant} />}
      <SessionEnded />
      {dialogs.wasPaletteOpen && (
        <LoadedDialog name="The search" load={loadPalette} {...dialogs.palette}>
          {({ Palette }) => <Palette {...dialogs.palette} />}
        </LoadedDialog>
      )}
      {dialogs.wasHelpOpen && (
        <LoadedDialog name="The help" load={loadKeyboardHelp} {...dialogs.help}>
          {({ KeyboardHelp }) => <KeyboardHelp {...dialogs.help} />}
        </LoadedDialog>
      )}
    </>
  );
};

const AssistantAside = ({ assistant }: { assistant: AssistantBeside }): ReactNode => (
  <aside aria-label="Assistant" className={classes["aside"]}>
    <LoadedPart
      name="The assistant"
      load={loadAssistantPanel}
      fallback={<LoadingView />}
      renderFailure={(failure) => (
        <Stack gap="xs" p="sm" align="flex-start">
          {failure}
          <Button onClick={assistant.close}>Close the assistant</Button>
        </Stack>
      )}
    >
      {({ AssistantPanel }) => (
        <AssistantPanel
          sessionId={assistant.sessionId}
          startsFocused={assistant.wasAsked}
          onClose={assistant.close}
        />
      )}
    </LoadedPart>
  </aside>
);

interface DialogState {
  opened: boolean;
  onClose: () => void;
}

/** What did not arrive is said in a dialog as well. */
const LoadedDialog = <Part,>({
  opened,
  onClose,
  ...props
}: DialogState & Omit<LoadedPartProps<Part>, "renderFailure">): ReactNode => (
  <LoadedPart
    {...props}
    renderFailure={(failure) => (
      <Modal opened={opened} onClose={onClose} title={props.name}>
        {failure}
      </Modal>
    )}
  />
);

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
    palette: { opened: open === "palette", onClose: close },
    help: { opened: open === "help", onClose: close },
    wasPaletteOpen: seen.has("palette"),
    wasHelpOpen: seen.has("help"),
  };
};
