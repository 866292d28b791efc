import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useEnvironment } from "../../api/environments.ts";
import { PageHeader } from "../../parts/page/page-header.tsx";
import { Conversation } from "./chat/conversation.tsx";
import { contextOf } from "./context/page-context.ts";
import { SessionList } from "./sessions/session-list.tsx";
import classes from "./sessions/sessions.module.css";

const route = getRouteApi("/assistant");

/** A new conversation, beside those that there are. */
export const AssistantPage = (): ReactNode => {
  const { q, agent, about } = route.useSearch();
  const navigate = route.useNavigate();
  const { environment } = useEnvironment();
  return (
    <div className={classes["layout"]} data-open={false}>
      <div className={classes["side"]}>
        <SessionList
          current={null}
          q={q}
          onSearch={(next) =>
            void navigate({ search: (previous) => ({ ...previous, q: next }), replace: true })
          }
        />
      </div>
      <div className={classes["main"]}>
        <PageHeader
          title="Assistant"
          description="Ask about what the platform has, and let it act for you."
        />
        <Conversation
          sessionId={null}
          onSession={(sessionId) =>
            void navigate({
              to: "/assistant/$sessionId",
              params: { sessionId },
              search: (previous) => previous,
            })
          }
          agentId={agent ?? null}
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
