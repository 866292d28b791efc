import { Anchor, Button, type AnchorProps, type ButtonProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, ReactNode, Ref } from "react";

type Element = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof AnchorProps> & {
  ref?: Ref<HTMLAnchorElement>;
};

const AnchorElement = (props: AnchorProps & Element): ReactNode => <Anchor {...props} />;
const ButtonElement = (props: ButtonProps & Omit<Element, keyof ButtonProps>): ReactNode => (
  <Button component="a" {...props} />
);

/** A link to a page, with its address, parameters and search checked by the compiler; the page is loaded when it is pointed at. */
export const PageLink = createLink(AnchorElement);

/** The same as a button. */
export const ButtonLink = createLink(ButtonElement);
