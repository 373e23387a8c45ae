import type { ConsoleAssets } from "../console/assets";

/**
 * The files of the widgets and of the customers' pages. From source they are bundled on the first request;
 * `scripts/console.ts` embeds them in the executable.
 */
let assets: Promise<ConsoleAssets> | undefined;

/** The files by their names: `tollgate.js`, `page.js` and their chunks. */
export const embedAssets = (): Promise<ConsoleAssets> => {
	assets ??= bundled();
	return assets;
};

async function bundled(): Promise<ConsoleAssets> {
	const { outputs } = await Bun.build({
		entrypoints: [`${import.meta.dir}/tollgate.tsx`, `${import.meta.dir}/page.tsx`],
		splitting: true,
		minify: true,
		define: { "process.env.NODE_ENV": '"production"' },
	});
	const entries = outputs.map(async (output) => {
		const name = output.path.replace(/^\.?\//, "");
		const etag = `"${Bun.hash.wyhash(await output.arrayBuffer()).toString(36)}"`;
		const isImmutable = output.kind === "chunk";
		return [name, { type: output.type, etag, immutable: isImmutable, bodies: { identity: output } }] as const;
	});
	return new Map(await Promise.all(entries));
}
