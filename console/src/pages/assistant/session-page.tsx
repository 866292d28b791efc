import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useEnvironment } from "../../api/environments.ts";
import { PageHeader } from "../../parts/page/page-header.tsx";
import { ButtonLink } from "../../parts/page/page-link.tsx";
import { Conversation } from "./chat/conversation.tsx";
import { contextOf } from "./context/page-context.ts";
import { sessionsQuery } from "./queries.ts";
import { SessionActions } from "./sessions/session-actions.tsx";
import { SessionList } from "./sessions/session-list.tsx";
import { useSessionTitle } from "./sessions/use-session-title.ts";
import classes from "./sessions/sessions.module.css";

const route = getRouteApi("/assistant/$sessionId");

/** One conversation. */
export const SessionPage = (): ReactNode => {
  const { sessionId } = route.useParams();
  const { q, agent, about } = route.useSearch();
  const navigate = route.useNavigate();
  const { environment } = useEnvironment();
  const title = useSessionTitle(sessionId);
  const { data } = useInfiniteQuery(sessionsQuery);
  const session = data?.pages.flatMap((page) => page.data).find(({ id }) => id === sessionId);
  return (
    <div className={classes["layout"]} data-open>
      <div className={classes["side"]}>
        <SessionList
          current={sessionId}
          q={q}
          onSearch={(next) =>
            void navigate({ search: (previous) => ({ ...previous, q: next }), replace: true })
          }
        />
      </div>
      <div className={classes["main"]}>
        <PageHeader
          title={title}
          actions={
            <>
              <ButtonLink to="/assistant" hiddenFrom="md">
                Conversations
              </ButtonLink>
              <SessionActions sessionId={sessionId} title={title} />
            </>
          }
        />
        <Conversation
          key={sessionId}
          sessionId={sessionId}
          onSession={(next) =>
            void navigate({
              to: "/assistant/$sessionId",
              params: { sessionId: next },
              search: (previous) => previous,
            })
          }
          agentId={agent ?? session?.agent_id ?? null}
          onAgent={(id) =>
            void navigate({ search: (previous) => ({ ...previous, agent: id ?? undefined }), replace: true })
          }
          context={about === undefined ? null : contextOf(about, environment)}
          onForgetContext={() =>
            void navigate({ search: (previous) => ({ ...previous, about: undefined }), replace: true })
          }
        />
      </div>
    </div>
  );
};
