/** The console for the executable: bundled for browsers, compressed once, embedded. */
import { mkdir, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { BunPlugin } from "bun";

const root = resolve(import.meta.dir, "..");
const folder = join(root, "dist", "console");

/** Below this, compression saves nothing. */
const compressFrom = 512;

const brotli = (bytes: Uint8Array) =>
	brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } });

/** The text of the module that stands in the place of `src/console/assets.ts`. */
async function embedded(): Promise<string> {
	const { outputs } = await Bun.build({
		entrypoints: [join(root, "src/console/index.html")],
		minify: true,
		splitting: true,
		sourcemap: "none",
		publicPath: "/console/assets/",
		define: { "process.env.NODE_ENV": '"production"' },
	});
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	const imports: string[] = [];
	const entries: string[] = [];
	const embed = async (name: string, bytes: Uint8Array): Promise<string> => {
		const path = join(folder, name);
		await Bun.write(path, bytes);
		const variable = `file${imports.length}`;
		imports.push(`import ${variable} from ${JSON.stringify(path)} with { type: "file" };`);
		return variable;
	};
	for (const output of outputs) {
		const name = basename(output.path);
		const bytes = new Uint8Array(await output.arrayBuffer());
		const bodies =
			bytes.length < compressFrom
				? `identity: ${await embed(`${name}.bin`, bytes)}`
				: `br: ${await embed(`${name}.br`, brotli(bytes))}, gzip: ${await embed(`${name}.gz`, gzipSync(bytes, { level: 9 }))}`;
		const etag = `"${Bun.hash.wyhash(bytes).toString(36)}"`;
		const fields = JSON.stringify({ type: output.type, etag, immutable: name !== "index.html" });
		entries.push(`[${JSON.stringify(name)}, { ...${fields}, bodies: { ${bodies} } }]`);
	}
	return [
		...imports,
		`const assets = Promise.resolve(new Map([${entries.join(",\n")}]));`,
		"export const consoleAssets = () => assets;",
		'export const consolePage = "index.html";',
	].join("\n");
}

/** Puts the embedded files in the place of what bundles them from sources. */
export async function consolePlugin(): Promise<BunPlugin> {
	// Not within `onLoad`: a build that waits for another build never ends (Bun 1.4.5).
	const contents = await embedded();
	return {
		name: "console",
		setup: (build) =>
			void build.onLoad({ filter: /src[/\\]console[/\\]assets\.ts$/ }, () => ({ contents, loader: "js" })),
	};
}
