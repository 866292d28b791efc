import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";

const typingMs = 250;

/**
 * The text of a field whose value is in the address. What is typed is written there after a pause; what the address gets from elsewhere,
 * such as a link or the browser's way back, is shown at once.
 */
export const useTypedText = (
  value: string,
  write: (text: string) => void,
): [typed: string, type: (text: string) => void] => {
  const [{ typed, known, written }, setState] = useState({ typed: value, known: value, written: value });
  // What is typed while the address takes what was written before it stays.
  if (known !== value) setState({ typed: value === written ? typed : value, known: value, written: value });
  const send = useDebouncedCallback((text: string) => {
    setState((state) => ({ ...state, written: text }));
    write(text);
  }, typingMs);
  return [
    typed,
    (text) => {
      setState((state) => ({ ...state, typed: text }));
      send(text.trim());
    },
  ];
};
