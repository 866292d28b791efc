import { route, type AreaApp } from "../../../platform/http/operation.ts";
import type { CoordinatorExtra } from "../../context.ts";
import { getNoticeChoices, putNoticeChoices } from "./choices.ts";
import {
  channelList,
  choicesBody,
  notice,
  noticeChoices,
  noticeList,
  noticeListQuery,
  noticeParams,
  testBody,
} from "./schema.ts";
import { getNotice, listNoticeChannels, listNotices, sendNoticeAgain, sendTestNotice } from "./service.ts";

const tags = ["Notices"];
const path = "/v1/notices/{notice-id}";

export function addNoticeRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "listNotices",
    method: "GET",
    path: "/v1/notices",
    summary: "List notices",
    description: "Mails and chat messages that were sent, are pending or were given up; the latest first.",
    tags,
    rule: "listNotices",
    query: noticeListQuery,
    response: { 200: noticeList },
    handler: (ctx, { query }) =>
      listNotices(ctx, {
        channel: query.channel,
        status: query.status,
        limit: query.limit,
        after: query.after,
      }),
  });
  route(app, {
    id: "getNotice",
    method: "GET",
    path,
    summary: "Get a notice",
    description: "Its attempts, the last error and when the next attempt is.",
    tags,
    rule: "getNotice",
    params: noticeParams,
    response: { 200: notice },
    errors: [404],
    handler: (ctx, { params }) => getNotice(ctx, params["notice-id"]),
  });
  route(app, {
    id: "listNoticeChannels",
    method: "GET",
    path: "/v1/notice-channels",
    summary: "List where notices are sent",
    description:
      "Mail and the chats of the configuration, with how many messages are pending or were given up.",
    tags,
    rule: "listNoticeChannels",
    response: { 200: channelList },
    handler: (ctx) => listNoticeChannels(ctx),
  });
  addSendingRoutes(app);
}

export function addNoticeChoiceRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "getNoticeChoices",
    method: "GET",
    path: "/v1/notice-choices",
    summary: "Get what the caller is told about",
    description: "By kind, and where mails to the caller go.",
    tags,
    rule: "getNoticeChoices",
    response: { 200: noticeChoices },
    errors: [409],
    handler: (ctx) => getNoticeChoices(ctx),
  });
  route(app, {
    id: "putNoticeChoices",
    method: "PUT",
    path: "/v1/notice-choices",
    summary: "Choose what the caller is told about",
    description:
      "For mails to the caller. Those to a group that has an address of its own are sent all the same.",
    tags,
    rule: "putNoticeChoices",
    body: choicesBody,
    response: { 200: noticeChoices },
    errors: [409],
    handler: (ctx, { body }) => putNoticeChoices(ctx, body),
  });
}

function addSendingRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "sendNoticeAgain",
    method: "POST",
    path: `${path}/send-again`,
    summary: "Send a notice again",
    description: "One that was sent or given up, with what of it still waits, under the same id. Audited.",
    tags,
    rule: "sendNoticeAgain",
    params: noticeParams,
    response: { 202: notice },
    errors: [404, 409],
    handler: (ctx, { params }) => sendNoticeAgain(ctx, params["notice-id"]),
  });
  route(app, {
    id: "sendTestNotice",
    method: "POST",
    path: "/v1/notices/test",
    summary: "Send a sample",
    description: "A mail or a chat message that says that it is a sample, sent like every other. Audited.",
    tags,
    rule: "sendTestNotice",
    body: testBody,
    response: { 202: notice },
    errors: [404],
    handler: (ctx, { body }) => sendTestNotice(ctx, body),
  });
}
