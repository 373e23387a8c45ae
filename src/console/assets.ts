/**
 * The console's files. Run from sources, they are bundled at the first question, in memory. In the executable
 * `scripts/console.ts` puts a module in this one's place that names the embedded, compressed files.
 */
export interface ConsoleAsset {
	readonly type: string;
	readonly etag: string;
	/** Its name has a hash of its content: it never changes. */
	readonly immutable: boolean;
	/** Where the body is, by content coding: br and gzip, or identity where nothing is gained by compressing. */
	readonly bodies: Readonly<Partial<Record<"br" | "gzip" | "identity", string | Blob>>>;
}

export type ConsoleAssets = ReadonlyMap<string, ConsoleAsset>;

export const consolePage = "index.html";

let assets: Promise<ConsoleAssets> | undefined;

/** By their names. */
export const consoleAssets = (): Promise<ConsoleAssets> => {
	assets ??= bundled();
	return assets;
};

async function bundled(): Promise<ConsoleAssets> {
	const { outputs } = await Bun.build({
		entrypoints: [`${import.meta.dir}/${consolePage}`],
		splitting: true,
		minify: { syntax: true, whitespace: true },
		publicPath: "/console/assets/",
		define: { "process.env.NODE_ENV": '"production"' },
	});
	const entries = outputs.map(async (output): Promise<[string, ConsoleAsset]> => {
		const name = output.path.replace(/^\.?\//, "");
		const etag = `"${Bun.hash.wyhash(await output.arrayBuffer()).toString(36)}"`;
		return [name, { type: output.type, etag, immutable: name !== consolePage, bodies: { identity: output } }];
	});
	return new Map(await Promise.all(entries));
}
