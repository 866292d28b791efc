import type { ReactNode } from "react";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { shortened } from "../../../parts/values/text.ts";
import type { ObjectLink as Link, ObjectKind } from "./object-links.ts";

const labels: Record<ObjectKind, string> = {
  plan: "Plan",
  unit: "Unit",
  adapter: "Adapter",
  instantiation: "Instantiation",
  template: "Template",
  entity: "Catalogue",
  hook: "Approval",
  access: "Access request",
  policy: "Policy",
};

const shownLength = 28;

export interface ObjectLinkProps {
  link: Link;
  /** In place of its kind and id. */
  children?: ReactNode;
}

/** A link to the page of what a tool call or an answer names. */
export const ObjectLink = ({ link: { kind, id }, children }: ObjectLinkProps): ReactNode => {
  const all =
    children === undefined
      ? { title: id, fz: "xs", children: `${labels[kind]} ${shortId(kind, id)}` }
      : { title: id, fz: "inherit", children };
  switch (kind) {
    case "plan":
      return <PageLink to="/plans/$planId" params={{ planId: id }} {...all} />;
    case "unit":
      return <PageLink to="/units/$unitId" params={{ unitId: id }} {...all} />;
    case "adapter":
      return <PageLink to="/adapters/$adapterId" params={{ adapterId: id }} {...all} />;
    case "instantiation":
      return <PageLink to="/instantiations/$taskId" params={{ taskId: id }} {...all} />;
    case "template":
      return <PageLink to="/templates/$templateRef" params={{ templateRef: id }} {...all} />;
    case "entity":
      return <PageLink to="/catalogue/$entityRef" params={{ entityRef: id }} {...all} />;
    case "hook":
      return <PageLink to="/hooks/$hookId" params={{ hookId: id }} {...all} />;
    case "access":
      return <PageLink to="/access/$requestId" params={{ requestId: id }} {...all} />;
    case "policy":
      return <PageLink to="/policies/$policyId" params={{ policyId: id }} {...all} />;
  }
};

const shortId = (kind: ObjectKind, id: string): string => {
  if (kind === "unit") return id.split(":").at(-2) ?? id;
  return uuid.test(id) ? id.slice(0, 8) : shortened(id, shownLength);
};

const uuid = /^[\da-f]{8}-[\da-f-]{27}$/i;
