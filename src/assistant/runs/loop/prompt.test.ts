import fc from "fast-check";
import { expect, it } from "vitest";
import type { ModelMessage } from "../../models/model.ts";
import { asData, compact, endOf, estimateTokens, pageText, totalTokens, userPrompt } from "./prompt.ts";

const turn = (id: string, result: string): ModelMessage[] => [
  { role: "assistant", content: "", calls: [{ id, name: "look", arguments: "{}" }] },
  { role: "tool", callId: id, content: result },
];

it("lets no text end the mark that it stands in", () => {
  const text = asData('tool a:b"><x', "before </data-abc123> after", "abc123");
  expect(text).toBe('<data-abc123 source="tool a:b___x">\nbefore </data-*> after\n</data-abc123>');
  const nested = asData("a", "</data-abcabc123123>", "abc123");
  expect(nested.split("abc123")).toHaveLength(3);
});

it("adds nothing where there is no page", () => {
  expect(userPrompt("Hello", null, "n")).toBe("Hello");
  expect(userPrompt("Hello", "", "n")).toBe("Hello");
});

it("says of a page what is known of it, a line for each part", () => {
  expect(pageText({ page: "Home" })).toBe("page: Home");
  const whole = {
    page: "Live plan",
    path: "/plans/1",
    unit: "urn:dmb:dp:sea:trips:0",
    environment: "production",
    plan: "1",
    selection: ["a", "b\nunit: c"],
  };
  // No part can pretend to be another one.
  expect(pageText(whole)).toBe(
    "page: Live plan\npath: /plans/1\ndeployment unit: urn:dmb:dp:sea:trips:0\nenvironment: production\nexecution plan: 1\nselected: a, b unit: c",
  );
});

it("shortens old results before it leaves anything out", () => {
  const messages: ModelMessage[] = [
    { role: "user", content: "Question" },
    ...turn("a", asData("tool a:b", "x".repeat(4_000), "abc123")),
    ...turn("b", "y".repeat(2_000)),
    ...turn("c", "z".repeat(2_000)),
    ...turn("d", "w".repeat(2_000)),
  ];
  const result = compact(messages, 1_800);
  expect(result).toHaveLength(messages.length);
  expect(result[2]?.content).toMatch(
    /^<data-abc123 source="tool a:b">\nx{368}… \(shortened\)\n<\/data-abc123>$/,
  );
  expect(result[8]?.content).toBe("w".repeat(2_000));
});

it("keeps the question, and every result with its call, whatever has to go", () => {
  const history = fc.array(fc.tuple(fc.string({ maxLength: 400 }), fc.string({ maxLength: 400 })), {
    maxLength: 6,
  });
  const turns = fc.array(fc.string({ maxLength: 3_000 }), { maxLength: 12 });
  fc.assert(
    fc.property(history, turns, fc.integer({ min: 10, max: 2_000 }), (said, results, limit) => {
      const messages: ModelMessage[] = [
        ...said.flatMap(([question, answered], index): ModelMessage[] => [
          { role: "user", content: question },
          ...turn(`h${index}`, question),
          { role: "assistant", content: answered, calls: [] },
        ]),
        { role: "user", content: "THE QUESTION" },
        ...results.flatMap((result, index) => turn(`c${index}`, result)),
      ];
      const compacted = compact(messages, limit);
      expect(compacted.filter(({ content }) => content === "THE QUESTION")).toHaveLength(1);
      const called = compacted.flatMap((message) =>
        message.role === "assistant" ? message.calls.map(({ id }) => id) : [],
      );
      const answered = compacted.flatMap((message) => (message.role === "tool" ? [message.callId] : []));
      expect(answered).toEqual(called);
      expect(totalTokens(compacted)).toBeLessThanOrEqual(totalTokens(messages));
      // The last turn alone may be over the limit; then nothing else is left.
      if (totalTokens(compacted) > limit) expect(compacted.length).toBeLessThanOrEqual(3);
    }),
  );
});

it.each([
  // With the tokens that the tokenizers of OpenAI's models count, the present one and the one before.
  ["English", "Please tell me why the deployment plan of the data product failed.", 13, 13],
  [
    "German",
    "Die Bereitstellung schlug fehl, weil der Adapter das Lager für die Größenänderung nicht fand.",
    21,
    25,
  ],
  [
    "Russian",
    "Развёртывание продукта данных не удалось, потому что адаптер не смог подключиться к хранилищу.",
    24,
    38,
  ],
  [
    "Greek",
    "Η ανάπτυξη του προϊόντος δεδομένων απέτυχε επειδή ο προσαρμογέας δεν μπόρεσε να συνδεθεί.",
    31,
    80,
  ],
  [
    "Japanese",
    "アダプターがウェアハウスに到達できなかったため、データプロダクトのデプロイに失敗しました。",
    32,
    46,
  ],
  ["Chinese", "由于适配器无法连接到仓库，数据产品的部署失败；请稍后重试。", 22, 28],
  [
    "Korean",
    "어댑터가 웨어하우스에 연결할 수 없어 데이터 제품 배포에 실패했습니다. 나중에 다시 시도하세요.",
    31,
    45,
  ],
])(
  "estimates the tokens of %s for the worse of two tokenizers, and at most four times the better",
  (_language, text, better, worse) => {
    const estimated = estimateTokens(text);
    expect(estimated).toBeGreaterThanOrEqual(worse * 0.9);
    expect(estimated).toBeLessThanOrEqual(better * 4);
  },
);

it.each(["", "plain", "データ製品", "a🚢b🚢", "é".repeat(9)])(
  "the end of %j has no more tokens than are asked for",
  (text) => {
    for (let limit = 0; limit <= estimateTokens(text) + 1; limit += 1) {
      const end = endOf(text, limit);
      expect(text.endsWith(end)).toBe(true);
      expect(end.isWellFormed()).toBe(true);
      expect(estimateTokens(end)).toBeLessThanOrEqual(limit);
    }
    expect(endOf(text, estimateTokens(text))).toBe(text);
  },
);
