/**
 * Starts the scripted model, a TEST PROGRAM that only repeats what a script says:
 *
 *   node test/support/scripted-model/main.ts <script.yaml> [port]
 */
import { readScript } from "./script.ts";
import { startScriptedModel } from "./server.ts";

const [file, port] = process.argv.slice(2);
if (file === undefined) throw new Error("usage: main.ts <script.yaml> [port]");
const model = await startScriptedModel(readScript(file), port === undefined ? 0 : Number(port));
console.log(`SCRIPTED MODEL (a test program, not a language model): ${model.url}`);
