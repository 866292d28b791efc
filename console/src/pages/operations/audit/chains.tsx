import { Button, Group, List, Paper, Progress, Stack, Text, TextInput, Title } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import { useState, type ReactNode } from "react";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { EmptyView, ErrorView, Loaded } from "../../../parts/states/views.tsx";
import { IdText } from "../../../parts/values/id-text.tsx";
import { StatusBadge } from "../../../parts/values/status.tsx";
import { wordsOf } from "../../../parts/values/text.ts";
import { TimeAgo } from "../../../parts/values/times.tsx";
import { Facts } from "../parts/facts.tsx";
import { operatorsWho } from "../words.ts";
import { chainsQuery } from "./queries.ts";

type Chain = CoordinatorComponents["schemas"]["AuditChain"];
type Problem = CoordinatorComponents["schemas"]["AuditProblem"];

export const Chains = (): ReactNode => (
  <Loaded query={useQuery(chainsQuery)} what="read the chains of the audit" who={operatorsWho}>
    {({ data }) =>
      data.length === 0 ? (
        <EmptyView title="Nothing is sealed yet" icon="log" />
      ) : (
        <Stack gap="md">
          {data.map((chain) => (
            <ChainCard key={chain.chain} chain={chain} />
          ))}
        </Stack>
      )
    }
  </Loaded>
);

const ChainCard = ({ chain }: { chain: Chain }): ReactNode => (
  <Paper component="section" aria-label={`Chain ${chain.chain}`}>
    <Stack gap="sm">
      <Group gap="xs">
        <Title order={2}>{wordsOf(chain.chain)}</Title>
        <StatusBadge status={chain.isSigned ? "OK" : "WARNING"}>
          {chain.isSigned ? "Signed" : "Not signed by this installation"}
        </StatusBadge>
      </Group>
      <Facts
        of={{
          "Ends at": (
            <>
              place {chain.seq}, sealed <TimeAgo at={chain.sealedAt} />
            </>
          ),
          "To note elsewhere": <IdText id={`${chain.seq}:${chain.hash}`} length={30} />,
          "Begins after":
            chain.pruned === null ? (
              "its first row"
            ) : (
              <>
                place {chain.pruned.seq}; what came before was deleted for its age{" "}
                <TimeAgo at={chain.pruned.at} />
              </>
            ),
          "Not sealed yet":
            chain.open.rows === 0 ? (
              "nothing"
            ) : (
              <>
                {chain.open.rows} rows, the oldest of <TimeAgo at={chain.open.oldestAt} />
              </>
            ),
        }}
      />
      <Verification chain={chain} />
    </Stack>
  </Paper>
);

interface Outcome {
  checked: number;
  problems: Problem[];
}

/** A long chain takes several requests; each begins where the one before it ended. */
async function verify(
  { chain }: Chain,
  anchor: string,
  onProgress: (outcome: Outcome) => void,
): Promise<Outcome> {
  const outcome: Outcome = { checked: 0, problems: [] };
  let after: number | null = 0;
  while (after !== null) {
    const answer: CoordinatorComponents["schemas"]["AuditVerification"] = await call(
      api.coordinator.GET("/api/coordinator/v1/audit/chains/{chain}/verification", {
        params: { path: { chain }, query: { after, ...(anchor !== "" && { anchor }) } },
      }),
    );
    outcome.checked += answer.checked;
    // The ends of the chain are looked at in each answer.
    for (const problem of answer.problems)
      if (!outcome.problems.some((known) => JSON.stringify(known) === JSON.stringify(problem)))
        outcome.problems.push(problem);
    onProgress({ ...outcome });
    after = answer.next;
  }
  return outcome;
}

const Verification = ({ chain }: { chain: Chain }): ReactNode => {
  const [anchor, setAnchor] = useState("");
  const [progress, setProgress] = useState<Outcome | null>(null);
  const verification = useMutation({ mutationFn: () => verify(chain, anchor.trim(), setProgress) });
  const { isPending, isSuccess, error } = verification;
  const rows = chain.seq - (chain.pruned?.seq ?? 0);
  return (
    <>
      <Group gap="xs" align="flex-end">
        <TextInput
          label="Noted place, if you have one"
          placeholder="18230:9f86d081…"
          value={anchor}
          onChange={({ currentTarget }) => setAnchor(currentTarget.value)}
          w="18rem"
        />
        <Button loading={isPending} onClick={() => verification.mutate()}>
          Verify {chain.chain}
        </Button>
      </Group>
      {isPending && (
        <Progress
          aria-label={`Rows of ${chain.chain} that were verified`}
          value={rows === 0 ? 0 : Math.min(100, (100 * (progress?.checked ?? 0)) / rows)}
        />
      )}
      {error !== null && <ErrorView error={error} what="verify the chain" />}
      {isSuccess && <Result outcome={verification.data} />}
    </>
  );
};

const Result = ({ outcome: { checked, problems } }: { outcome: Outcome }): ReactNode => (
  <div role="status">
    <Group gap="xs">
      <StatusBadge status={problems.length === 0 ? "OK" : "FAILED"}>
        {problems.length === 0 ? "Nothing was changed" : `${problems.length} found`}
      </StatusBadge>
      <Text size="sm">{checked} rows were compared with what was sealed.</Text>
    </Group>
    {problems.length > 0 && (
      <List size="sm" mt="xs">
        {problems.map((problem) => (
          <List.Item key={`${problem.kind} ${problem.seq} ${problem.id}`}>
            <strong>{wordsOf(problem.kind)}</strong>
            {problem.seq !== null && ` at place ${problem.seq}`}
            {problem.id !== null && ` (row ${problem.id})`}: {problem.message}
          </List.Item>
        ))}
      </List>
    )}
  </div>
);
