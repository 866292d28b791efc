import { Text, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Icon } from "../../../parts/page/icon.tsx";
import { ButtonLink, PageLink } from "../../../parts/page/page-link.tsx";
import { Loaded } from "../../../parts/states/views.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { EndOfTable } from "../../../parts/tables/end-of-list.tsx";
import { useNextPage } from "../../../parts/tables/next-page.ts";
import { sessionSearchQuery, sessionsQuery, type FoundSession, type Session } from "../queries.ts";
import classes from "./sessions.module.css";

const typingMs = 250;

export interface SessionListProps {
  /** The one that is open. */
  current: string | null;
  q: string | undefined;
  onSearch: (q: string | undefined) => void;
}

/** The caller's conversations: those that wait first, then by when they were used; or what a search finds. */
export const SessionList = ({ current, q, onSearch }: SessionListProps): ReactNode => {
  const [text, setText] = useState(q ?? "");
  const search = useDebouncedCallback((next: string) => onSearch(next === "" ? undefined : next), typingMs);
  return (
    <nav aria-label="Conversations" className={classes["list"]}>
      <ButtonLink to="/assistant" fullWidth leftSection={<Icon name="chat" size={14} />}>
        New conversation
      </ButtonLink>
      <TextInput
        aria-label="Search conversations"
        placeholder="Search conversations"
        leftSection={<Icon name="search" size={14} />}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          search(currentTarget.value.trim());
        }}
        my="xs"
      />
      {q === undefined ? <AllSessions current={current} /> : <FoundSessions q={q} current={current} />}
    </nav>
  );
};

const AllSessions = ({ current }: { current: string | null }): ReactNode => {
  const query = useInfiniteQuery(sessionsQuery);
  const next = useNextPage(query);
  return (
    <Loaded query={query} what="list your conversations">
      {({ pages }) => {
        const sessions = pages.flatMap(({ data }) => data);
        const waiting = sessions.filter((session) => session.waiting !== null);
        const others = sessions.filter((session) => session.waiting === null);
        if (sessions.length === 0) return <Note>You have not asked the assistant yet.</Note>;
        return (
          <>
            <ul>
              {[...waiting, ...others].map((session) => (
                <SessionItem key={session.id} session={session} isCurrent={session.id === current} />
              ))}
            </ul>
            {next.isThere && next.error === null && (
              <button
                type="button"
                className={classes["more"]}
                disabled={next.isBeingRead}
                onClick={next.readNow}
              >
                Show older ones
              </button>
            )}
            <EndOfTable next={next} />
          </>
        );
      }}
    </Loaded>
  );
};

const SessionItem = ({ session, isCurrent }: { session: Session; isCurrent: boolean }): ReactNode => (
  <li>
    <PageLink
      to="/assistant/$sessionId"
      params={{ sessionId: session.id }}
      search={(previous) => previous}
      className={classes["item"]}
      underline="never"
      aria-current={isCurrent ? "page" : undefined}
    >
      <span className={classes["title"]}>{session.title === "" ? "Not named yet" : session.title}</span>
      <span className={classes["line"]}>
        <TimeAgo at={session.updated_at} />
        {session.waiting !== null && <StatusBadge status="WAITING">Waits for you</StatusBadge>}
      </span>
    </PageLink>
  </li>
);

const FoundSessions = ({ q, current }: { q: string; current: string | null }): ReactNode => (
  <Loaded query={useQuery(sessionSearchQuery(q))} what="search your conversations">
    {({ data, meta }) =>
      data.length === 0 ? (
        <Note>No conversation has words that begin so.</Note>
      ) : (
        <>
          <ul>
            {data.map((found) => (
              <FoundItem key={found.session_id} found={found} isCurrent={found.session_id === current} />
            ))}
          </ul>
          {meta.more && <Note>There are more. Write more words to find fewer.</Note>}
        </>
      )
    }
  </Loaded>
);

const FoundItem = ({ found, isCurrent }: { found: FoundSession; isCurrent: boolean }): ReactNode => (
  <li>
    <PageLink
      to="/assistant/$sessionId"
      params={{ sessionId: found.session_id }}
      search={(previous) => previous}
      className={classes["item"]}
      underline="never"
      aria-current={isCurrent ? "page" : undefined}
    >
      <span className={classes["title"]}>{found.title}</span>
      {found.matches === "message" && (
        <span className={classes["excerpt"]}>
          {found.role === "user" ? "You: " : ""}
          {found.excerpt}
        </span>
      )}
      <span className={classes["line"]}>
        <TimeAgo at={found.at} />
      </span>
    </PageLink>
  </li>
);

const Note = ({ children }: { children: ReactNode }): ReactNode => (
  <Text size="sm" c="dimmed" p="xs">
    {children}
  </Text>
);
