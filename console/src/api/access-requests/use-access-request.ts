/** Opening an access request, whichever form it was written in. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../client.ts";
import { call } from "../error.ts";
import { keys } from "../keys.ts";
import { requesterOf, type NewAccessRequest } from "./requester.ts";

const openRequest = (body: NewAccessRequest, idempotencyKey: string) =>
  call(
    api.builder.POST("/api/builder/access-requests", {
      params: { header: { "idempotency-key": idempotencyKey } },
      body,
    }),
  );

/** Opens the request's own page then, which says what it waits for. */
export const useAccessRequest = () => {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [request] = useState(() => requesterOf(openRequest));
  return useMutation({
    mutationFn: request,
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: keys.accessRequests });
      await navigate({ to: "/access/$requestId", params: { requestId: id } });
    },
  });
};
