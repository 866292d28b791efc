/** The peer of bench/peers/streams.ts: AI SDK's streamText, piped to the response of a bare HTTP server. */
import { createServer } from "node:http";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { streamText } from "ai";

const provider = createOpenAICompatible({ name: "scripted", baseURL: process.argv[2], includeUsage: true });

const server = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => (body += chunk));
  request.on("end", () => {
    const { message } = JSON.parse(body);
    const result = streamText({ model: provider("scripted"), prompt: message });
    if (request.url === "/text") void result.pipeTextStreamToResponse(response);
    else void result.pipeUIMessageStreamToResponse(response);
  });
});
server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` }));
});
