import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { CoordinatorComponents } from "plinth-client";
import { api } from "../../../api/client.ts";
import { call } from "../../../api/error.ts";
import { keys } from "../../../api/keys.ts";
import { whileShort } from "../../../api/long-lists.ts";
import type { deliveryStatuses } from "../words.ts";

export type Delivery = CoordinatorComponents["schemas"]["WebhookDelivery"];
export type Webhook = CoordinatorComponents["schemas"]["Webhook"];

const liveMs = 3000;
const restMs = 15_000;

export interface DeliveryFilter {
  webhook?: string | undefined;
  status?: (typeof deliveryStatuses)[number] | undefined;
}

export const webhooksQuery = queryOptions({
  queryKey: [...keys.webhooks, "configured"],
  queryFn: ({ signal }) => call(api.coordinator.GET("/api/coordinator/v1/webhooks", { signal })),
  refetchInterval: ({ state }) => (state.data?.data.some(({ pending }) => pending > 0) ? liveMs : restMs),
});

export const deliveriesQuery = ({ webhook, status }: DeliveryFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.webhooks, "deliveries", { webhook, status }],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after, signal }) =>
      call(
        api.coordinator.GET("/api/coordinator/v1/webhook-deliveries", {
          params: {
            query: {
              limit: 100,
              ...(webhook !== undefined && { webhook }),
              ...(status !== undefined && { status }),
              ...(after !== undefined && { after }),
            },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ meta }) => meta.pagination.next ?? undefined,
    refetchInterval: whileShort((pages) =>
      pages.some(({ data }) => data.some((row) => row.status === "PENDING")) ? liveMs : false,
    ),
  });
