import type { ReactNode } from "react";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { shortened } from "../../../parts/values/text.ts";

const longest = 64;

/** What was acted on, such as `unit:urn:…@production`, as a link where a page shows it. */
export const SubjectLink = ({ subject }: { subject: string }): ReactNode => {
  const colon = subject.indexOf(":");
  const kind = subject.slice(0, colon);
  const id = subject.slice(colon + 1);
  const at = id.lastIndexOf("@");
  const [name, env] = at > 0 ? [id.slice(0, at), id.slice(at + 1)] : [id, undefined];
  const text = shortened(subject, longest);
  const search = env === undefined ? {} : { env };
  switch (kind) {
    case "unit":
      return (
        <PageLink to="/units/$unitId" params={{ unitId: name }} search={search} title={subject}>
          {text}
        </PageLink>
      );
    case "plan":
      return (
        <PageLink to="/plans/$planId" params={{ planId: id.split("/")[0] ?? id }} title={subject}>
          {text}
        </PageLink>
      );
    case "policy":
      return (
        <PageLink to="/policies/$policyId" params={{ policyId: id }} title={subject}>
          {text}
        </PageLink>
      );
    case "adapter":
      return (
        <PageLink to="/adapters/$adapterId" params={{ adapterId: name }} search={search} title={subject}>
          {text}
        </PageLink>
      );
    case "entity":
      return (
        <PageLink to="/catalogue/$entityRef" params={{ entityRef: id }} title={subject}>
          {text}
        </PageLink>
      );
    case "instantiation":
      return (
        <PageLink to="/instantiations/$taskId" params={{ taskId: id }} title={subject}>
          {text}
        </PageLink>
      );
    case "hook":
      return (
        <PageLink to="/hooks/$hookId" params={{ hookId: id }} title={subject}>
          {text}
        </PageLink>
      );
    case "access-request":
      return (
        <PageLink to="/access/$requestId" params={{ requestId: id }} title={subject}>
          {text}
        </PageLink>
      );
    case "notice":
      return (
        <PageLink to="/notices" search={{ notice: id }} title={subject}>
          {text}
        </PageLink>
      );
    case "webhook":
      return (
        <PageLink to="/webhooks" search={{ webhook: id }} title={subject}>
          {text}
        </PageLink>
      );
    case "environment":
      return (
        <PageLink to="/schedules" title={subject}>
          {text}
        </PageLink>
      );
    default:
      return <span title={subject}>{text}</span>;
  }
};
