import { ActionIcon, Modal, type ActionIconProps } from "@mantine/core";
import { useState, type ComponentPropsWithRef, type ReactNode } from "react";
import { useSession } from "../../api/session.ts";
import { Icon } from "../../parts/page/icon.tsx";
import { LoadedPart } from "../loaded-part.tsx";

const load = () => import("./account-menu.tsx");
/** What does not arrive early is asked for again when the button is pressed. */
const loadEarly = (): void => void load().catch(() => undefined);

/** The button of the account; its menu is loaded when it is pointed at. */
export const UserMenu = ({ onHelp }: { onHelp: () => void }): ReactNode => {
  const [isLoaded, setLoaded] = useState(false);
  const button = (
    <AccountButton onClick={() => setLoaded(true)} onPointerEnter={loadEarly} aria-haspopup="menu" />
  );
  return isLoaded ? (
    <LoadedPart
      name="The menu of the account"
      load={load}
      fallback={button}
      renderFailure={(failure) => (
        <>
          {button}
          <Modal opened={isLoaded} onClose={() => setLoaded(false)} title="The menu of the account">
            {failure}
          </Modal>
        </>
      )}
    >
      {({ AccountMenu }) => <AccountMenu onHelp={onHelp} />}
    </LoadedPart>
  ) : (
    button
  );
};

export const AccountButton = (props: ActionIconProps & ComponentPropsWithRef<"button">): ReactNode => {
  const session = useSession();
  return (
    <ActionIcon
      aria-label={`Account of ${session?.caller?.ref ?? "nobody"}`}
      size="lg"
      variant="default"
      {...props}
    >
      <Icon name="user" />
    </ActionIcon>
  );
};
