/** `bun run build`: the one executable, with migrations, threads, fonts and the documentation page inside. */
import { $ } from "bun";

const threads = ["writer", "http", "ingester", "aggregator", "deliverer", "renderer"].map(
	(name) => `src/workers/${name}.ts`,
);

// NODE_ENV is inlined; `--bytecode` needs the ESM format for the `new Worker(new URL(…))` form (design: measured).
process.env.NODE_ENV = "production";
await $`${process.execPath} build --compile --minify --bytecode --format=esm --sourcemap src/main.ts ${threads} --outfile dist/tollgate`;
