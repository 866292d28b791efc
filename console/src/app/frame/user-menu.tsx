import { ActionIcon, type ActionIconProps } from "@mantine/core";
import { lazy, Suspense, useState, type ComponentPropsWithRef, type ReactNode } from "react";
import { useSession } from "../../api/session.ts";
import { Icon } from "../../parts/page/icon.tsx";

const load = async () => ({ default: (await import("./account-menu.tsx")).AccountMenu });
const AccountMenu = lazy(load);

/** The button of the account; its menu is loaded when it is pointed at. */
export const UserMenu = ({ onHelp }: { onHelp: () => void }): ReactNode => {
  const [isLoaded, setLoaded] = useState(false);
  const button = (
    <AccountButton onClick={() => setLoaded(true)} onPointerEnter={() => void load()} aria-haspopup="menu" />
  );
  return isLoaded ? (
    <Suspense fallback={button}>
      <AccountMenu onHelp={onHelp} />
    </Suspense>
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
