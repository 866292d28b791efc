import { Text } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import { useSession } from "../../../api/session.ts";
import { referenceText } from "../../../parts/values/text.ts";

/** The caller and the groups of the caller, in small letters. */
export const useCallerRefs = (): readonly string[] => {
  const caller = useSession()?.caller;
  return caller ? [caller.ref, ...caller.groups].map((ref) => ref.toLowerCase()) : [];
};

export const useCaller = (): string => useSession()?.caller?.ref.toLowerCase() ?? "";

export const isAmong = (refs: readonly string[], others: readonly string[]): boolean =>
  refs.some((ref) => others.includes(ref.toLowerCase()));

/** Users and groups by their short names; the whole reference is in the title. */
export const People = ({ refs, none = "nobody" }: { refs: readonly string[]; none?: string }): ReactNode =>
  refs.length === 0
    ? none
    : refs.map((ref, index) => (
        <Fragment key={ref}>
          {index > 0 && ", "}
          <span title={ref}>{referenceText(ref)}</span>
        </Fragment>
      ));

export const Person = ({ of }: { of: string }): ReactNode => <People refs={[of]} />;

/** In place of buttons that would be refused. */
export const WhoElseMay = ({ children }: { children: ReactNode }): ReactNode => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
);
