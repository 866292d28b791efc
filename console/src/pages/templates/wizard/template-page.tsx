import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, type ReactNode } from "react";
import { useSession } from "../../../api/session.ts";
import { PageHeader } from "../../../parts/page/page-header.tsx";
import { PageLink } from "../../../parts/page/page-link.tsx";
import { Loaded, LoadingView } from "../../../parts/states/views.tsx";
import { creationFormQuery, editFormQuery, instantiationQuery } from "../queries.ts";
import { creationSubject, draftOfRun, editSubject, type Subject } from "./subject.ts";

const route = getRouteApi("/templates/$templateRef");
const Wizard = lazy(async () => ({ default: (await import("./wizard.tsx")).Wizard }));

export const TemplatePage = (): ReactNode => {
  const { templateRef } = route.useParams();
  const { entity } = route.useSearch();
  return entity === undefined ? (
    <Creation templateRef={templateRef} />
  ) : (
    <Edit templateRef={templateRef} entityRef={entity} />
  );
};

const Creation = ({ templateRef }: { templateRef: string }): ReactNode => {
  const query = useQuery(creationFormQuery(templateRef));
  const environments = useSession()?.environments;
  if (query.data === undefined || environments === undefined)
    return (
      <>
        <PageHeader title={nameOf(templateRef)} />
        <Loaded query={query} what="read this template">
          {() => <LoadingView />}
        </Loaded>
      </>
    );
  return <Filled subject={creationSubject(templateRef, query.data, environments)} />;
};

const Edit = ({ templateRef, entityRef }: { templateRef: string; entityRef: string }): ReactNode => {
  const query = useQuery(editFormQuery(templateRef, entityRef));
  if (query.data !== undefined) return <Filled subject={editSubject(query.data)} />;
  return (
    <>
      <PageHeader title={nameOf(templateRef)} description={<EntityLink entityRef={entityRef} />} />
      <Loaded query={query} what="read the form of this entity" who="whoever may read the entity">
        {() => <LoadingView />}
      </Loaded>
    </>
  );
};

/** With the values of an earlier run, where the address names one. */
const Filled = ({ subject }: { subject: Subject }): ReactNode => {
  const { from } = route.useSearch();
  const run = useQuery({ ...instantiationQuery(from ?? ""), enabled: from !== undefined });
  const { title, description, entityRef } = subject;
  const start =
    from === undefined ? subject.initial : run.data === undefined ? null : draftOfRun(subject, run.data);
  return (
    <>
      <PageHeader
        title={title}
        description={
          <>
            {description}
            {entityRef !== null && (
              <div>
                Changes <EntityLink entityRef={entityRef} />
              </div>
            )}
          </>
        }
      />
      {start === null ? (
        <Loaded query={run} what="read the values of the earlier run" who="its starter and operators">
          {() => <LoadingView />}
        </Loaded>
      ) : (
        <Suspense fallback={<LoadingView />}>
          <Wizard
            key={`${subject.templateRef} ${String(entityRef)} ${from ?? ""}`}
            subject={subject}
            start={start}
            from={from ?? null}
          />
        </Suspense>
      )}
    </>
  );
};

const EntityLink = ({ entityRef }: { entityRef: string }): ReactNode => (
  <PageLink to="/catalogue/$entityRef" params={{ entityRef }}>
    {entityRef}
  </PageLink>
);

const nameOf = (reference: string): string => reference.split("/").at(-1) ?? reference;
