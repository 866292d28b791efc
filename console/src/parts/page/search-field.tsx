import { TextInput, type TextInputProps } from "@mantine/core";
import type { ReactNode } from "react";
import { useTypedText } from "./typed-text.ts";

export interface SearchFieldProps extends Omit<TextInputProps, "value" | "defaultValue" | "onChange"> {
  /** As the address has it. */
  value: string | undefined;
  /** Writes it to the address; undefined when the field is empty. */
  onSearch: (text: string | undefined) => void;
}

/** A filter of a list that is typed; the list follows after a pause. */
export const SearchField = ({ value = "", onSearch, ...props }: SearchFieldProps): ReactNode => {
  const [typed, type] = useTypedText(value, (text) => onSearch(text === "" ? undefined : text));
  return <TextInput {...props} value={typed} onChange={({ currentTarget }) => type(currentTarget.value)} />;
};
