import { Kbd, Modal, Table } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import type { ReactNode } from "react";

const shortcuts = [
  ["Ctrl K, ⌘ K or /", "Search, and go to a page"],
  ["a", "Ask the assistant about the page"],
  ["?", "This help"],
  ["↑ ↓", "Move between the rows of a table"],
  ["Tab", "Move to the next link, button or field"],
  ["Enter", "Open or press what has the focus"],
  ["Esc", "Close a dialog or a menu"],
] as const;

/** Mounted when it is first opened. A dialog gives the focus back only to what had it when it changed from closed to open. */
export const KeyboardHelp = ({ opened, onClose }: { opened: boolean; onClose: () => void }): ReactNode => (
  <Modal opened={useMounted() && opened} onClose={onClose} title="Keyboard">
    <Table>
      <Table.Tbody>
        {shortcuts.map(([keys, what]) => (
          <Table.Tr key={keys}>
            <Table.Th scope="row" w="45%">
              <Kbd>{keys}</Kbd>
            </Table.Th>
            <Table.Td>{what}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Modal>
);
