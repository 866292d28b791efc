/** A scripted model for bench/peers/streams.ts: each answer has so many tokens, one every so many ms. */
import { startScriptedModel } from "../../test/support/scripted-model/server.ts";

const [count, tokenMs] = process.argv.slice(2).map(Number);
const tokens = Array.from({ length: count ?? 0 }, (_, n) => `word${n} `);
const { url } = await startScriptedModel([{ turn: { tokens, tokenMs: tokenMs ?? 0 } }]);
console.log(JSON.stringify({ url }));
