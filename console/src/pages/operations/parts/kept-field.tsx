import { useState, type ReactNode } from "react";

export interface KeptFieldProps {
  /** As the address has it. */
  value: string;
  children: (typed: string, type: (text: string) => void) => ReactNode;
}

/** What is being typed, until the address has it; what the address gets from elsewhere, such as a link, is shown at once. */
export const KeptField = ({ value, children }: KeptFieldProps): ReactNode => {
  const [{ typed, known }, setState] = useState({ typed: value, known: value });
  if (known !== value) setState({ typed: typed.trim() === value ? typed : value, known: value });
  return children(typed, (text) => setState({ typed: text, known: value }));
};
