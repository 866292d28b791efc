/** Wire shapes of the operations on webhook deliveries. */
import { Type, type Static } from "typebox";

const status = Type.Enum(["PENDING", "DELIVERED", "DEAD"]);
const webhookName = Type.String({ minLength: 1, maxLength: 63 });
const optionalTime = Type.Union([Type.String(), Type.Null()]);
const optionalText = Type.Union([Type.String(), Type.Null()]);

export const deliveryListQuery = Type.Object({
  webhook: Type.Optional(webhookName),
  status: Type.Optional(status),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  after: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1024, description: "`meta.pagination.next` of the page before." }),
  ),
});

const delivery = Type.Object({
  id: Type.Integer(),
  webhook: Type.String(),
  eventId: Type.String({ description: "The CloudEvents `id` and the `webhook-id` header." }),
  type: Type.String(),
  subject: Type.String(),
  environment: Type.String(),
  status,
  isReplay: Type.Boolean(),
  attempts: Type.Integer(),
  createdAt: Type.String(),
  lastAttemptAt: optionalTime,
  lastStatus: Type.Union([Type.Integer(), Type.Null()], { description: "HTTP status of the last answer." }),
  lastError: optionalText,
  nextAttemptAt: optionalTime,
  endedAt: optionalTime,
  waiting: Type.Union([Type.String(), Type.Null()], { description: "Why it is not sent yet." }),
});
export type Delivery = Static<typeof delivery>;

export const deliveryList = Type.Object({
  data: Type.Array(delivery),
  meta: Type.Object({ pagination: Type.Object({ limit: Type.Integer(), next: optionalText }) }),
});
export type DeliveryList = Static<typeof deliveryList>;

export const webhookList = Type.Object({
  data: Type.Array(
    Type.Object({
      name: webhookName,
      host: Type.String({ description: "Of its address, with the port where one is given." }),
      events: Type.Union([Type.Array(Type.String()), Type.Null()], { description: "Null for every type." }),
      environments: Type.Union([Type.Array(Type.String()), Type.Null()], { description: "Null for all." }),
      pending: Type.Integer({ description: "Deliveries that wait to be sent." }),
      dead: Type.Integer({ description: "Deliveries that were given up." }),
      oldestPendingAt: optionalTime,
      stoppedAt: Type.Union([Type.String(), Type.Null()], {
        description: "When its receiver answered 410; nothing is sent until a replay, or another address.",
      }),
    }),
    { description: "In the order of the configuration." },
  ),
});
export type WebhookList = Static<typeof webhookList>;

const time = (description: string) => Type.String({ format: "date-time", maxLength: 64, description });

export const replayBody = Type.Object({
  webhook: webhookName,
  deliveryId: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "Sends that one's event again.",
    }),
  ),
  from: Type.Optional(time("Start of the period; sends the webhook's events from then on.")),
  to: Type.Optional(time("Up to then, exclusive; without it, up to now.")),
  includeDelivered: Type.Boolean({
    default: false,
    description:
      "Whether events that were delivered are sent again too. An event that is named by its id always is.",
  }),
});
export type ReplayBody = Static<typeof replayBody>;

export const replayAnswer = Type.Object({
  replayed: Type.Integer({ description: "How many events wait to be sent again." }),
});
