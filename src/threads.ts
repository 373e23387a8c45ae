/**
 * Each thread's `new Worker(new URL(…))`, as the bundler must see it. They stand here, at the top of `src`, since inside
 * the executable a URL is relative to the root: only from here is the path the same in development and compiled.
 */
export const spawnThread = {
	ingester: () => new Worker(new URL("./workers/ingester.ts", import.meta.url).href),
	aggregator: () => new Worker(new URL("./workers/aggregator.ts", import.meta.url).href),
	deliverer: () => new Worker(new URL("./workers/deliverer.ts", import.meta.url).href),
	renderer: () => new Worker(new URL("./workers/renderer.ts", import.meta.url).href),
	writer: () => new Worker(new URL("./workers/writer.ts", import.meta.url).href),
	checker: () => new Worker(new URL("./workers/checker.ts", import.meta.url).href),
	http: () => new Worker(new URL("./workers/http.ts", import.meta.url).href),
} as const;
