import { Badge, Group, Menu, Text, useMantineColorScheme, type MantineColorScheme } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { isUnreachable } from "../../api/error.ts";
import { signOut, useSession } from "../../api/session.ts";
import { basePath } from "../../api/base-path.ts";
import { AccountButton } from "./user-menu.tsx";
import { Icon } from "../../parts/page/icon.tsx";

/** Who one is, how it looks, help, and the way out. */
export const AccountMenu = ({ onHelp }: { onHelp: () => void }): ReactNode => {
  const session = useSession();
  const caller = session?.caller;
  return (
    <Menu position="bottom-end" width={264} shadow="md" defaultOpened>
      <Menu.Target>
        <AccountButton />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
            {caller?.ref}
          </Text>
          <Text size="xs" c="dimmed">
            {session?.isGuest ? "Guest of a development server" : `Signed in with ${caller?.provider}`}
          </Text>
          <Group gap={4} mt={6}>
            {caller?.roles.map((role) => (
              <Badge key={role} color="gray" size="sm">
                {role}
              </Badge>
            ))}
          </Group>
        </Menu.Label>
        <Menu.Divider />
        <Theme />
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="keyboard" />} onClick={onHelp}>
          Keyboard
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="book" />} component="a" href={`${basePath}/docs`}>
          API reference
        </Menu.Item>
        {session?.isGuest === false && <SignOut />}
        {session?.version !== "" && <Menu.Label>Plinth {session?.version}</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  );
};

/** The menu stays open until the browser leaves, so that a failure is seen. */
const SignOut = (): ReactNode => {
  const leaving = useMutation({ mutationFn: signOut, onSuccess: (address) => location.assign(address) });
  return (
    <Menu.Item
      leftSection={<Icon name="exit" />}
      closeMenuOnClick={false}
      disabled={leaving.isPending}
      onClick={() => leaving.mutate()}
    >
      Sign out
      {leaving.error !== null && (
        // A menu has nothing but its items.
        <Text size="xs" c="bad" role="alert">
          You are still signed in: {reasonOf(leaving.error)}
        </Text>
      )}
    </Menu.Item>
  );
};

const reasonOf = (error: Error): string =>
  isUnreachable(error) ? "the server cannot be reached. Try again." : error.message;

const schemes = [
  { value: "light", icon: "sun", label: "Light" },
  { value: "auto", icon: "system", label: "As the system" },
  { value: "dark", icon: "moon", label: "Dark" },
] as const;

const Theme = (): ReactNode => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu.RadioGroup
      aria-label="Theme"
      value={colorScheme}
      onChange={(value) => setColorScheme(value as MantineColorScheme)}
    >
      {schemes.map(({ value, icon, label }) => (
        <Menu.RadioItem
          key={value}
          value={value}
          closeMenuOnClick={false}
          rightSection={<Icon name={icon} size={14} />}
        >
          {label}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
};
