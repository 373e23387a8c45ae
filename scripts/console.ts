/** The console for the executable: bundled for browsers, compressed once, embedded. */
import { mkdir, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { BunPlugin } from "bun";

const root = resolve(import.meta.dir, "..");

/** Below this, compression saves nothing. */
const compressFrom = 512;

const brotli = (bytes: Uint8Array) =>
	brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } });

interface Bundle {
	/** Of the folder below `src`, and of what is embedded. */
	readonly name: "console" | "embed";
	readonly entrypoints: readonly string[];
	readonly publicPath?: string;
	/** Names that stay while the content changes. */
	readonly lasting: readonly string[];
	/** What else the module says. */
	readonly exports: string;
}

const bundles: readonly Bundle[] = [
	{
		name: "console",
		entrypoints: ["index.html"],
		publicPath: "/console/assets/",
		lasting: ["index.html"],
		exports: 'export const consoleAssets = () => assets;\nexport const consolePage = "index.html";',
	},
	{
		name: "embed",
		entrypoints: ["tollgate.tsx", "page.tsx"],
		lasting: ["tollgate.js", "page.js"],
		exports: "export const embedAssets = () => assets;",
	},
];

/** The text of the module that stands in the place of the bundle's `assets.ts`. */
async function embedded({ name: bundle, entrypoints, publicPath, lasting, exports }: Bundle): Promise<string> {
	const { outputs } = await Bun.build({
		entrypoints: entrypoints.map((name) => join(root, "src", bundle, name)),
		minify: true,
		splitting: true,
		sourcemap: "none",
		...(publicPath !== undefined && { publicPath }),
		define: { "process.env.NODE_ENV": '"production"' },
	});
	const folder = join(root, "dist", bundle);
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
		const fields = JSON.stringify({ type: output.type, etag, immutable: !lasting.includes(name) });
		entries.push(`[${JSON.stringify(name)}, { ...${fields}, bodies: { ${bodies} } }]`);
	}
	return [...imports, `const assets = Promise.resolve(new Map([${entries.join(",\n")}]));`, exports].join("\n");
}

/** Puts the embedded files in the place of what bundles them from sources. */
export async function consolePlugin(): Promise<BunPlugin> {
	// Not within `onLoad`: a build that waits for another build never ends (Bun 1.4.5).
	const contents = new Map<string, string>();
	for (const bundle of bundles) contents.set(bundle.name, await embedded(bundle));
	return {
		name: "console",
		setup: (build) =>
			void build.onLoad({ filter: /src[/\\](console|embed)[/\\]assets\.ts$/ }, ({ path }) => ({
				contents: contents.get(path.includes("console") ? "console" : "embed") ?? "",
				loader: "js",
			})),
	};
}
