/** `bun run build`: the one executable, with migrations, threads, fonts, the documentation page and the console inside. */
import { readdirSync, rmSync } from "node:fs";
import { consolePlugin } from "./console";

const threads = [
	"writer",
	"http",
	"ingester",
	"aggregator",
	"deliverer",
	"renderer",
	"collector",
	"checker",
	"log-checker",
	"monitor",
	"backups",
	"upgrader",
].map((name) => `src/workers/threads/${name}.ts`);

// NODE_ENV is inlined. What threads share stands in the executable once, and in memory: split, it is 57 MB smaller, and 20 MB when idle.
// Bytecode needs the ESM format for the `new Worker(new URL(…))` form (design: measured).
process.env.NODE_ENV = "production";
const { success, logs } = await Bun.build({
	entrypoints: ["src/main.ts", ...threads],
	compile: { outfile: "dist/tollgate" },
	minify: true,
	splitting: true,
	bytecode: true,
	format: "esm",
	sourcemap: "linked",
	define: { "process.env.NODE_ENV": '"production"' },
	plugins: [await consolePlugin()],
});
// The executable has them inside.
for (const name of readdirSync("dist")) if (name.endsWith(".map")) rmSync(`dist/${name}`);
for (const log of logs) console.error(log);
process.exitCode = success ? 0 : 1;
