/** Bundles and compresses the console and the widgets for browsers, and embeds them in the executable. */
import { mkdir, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { BunPlugin } from "bun";

const root = resolve(import.meta.dir, "..");

/** Smaller files are not compressed. */
const compressFrom = 512;

const brotli = (bytes: Uint8Array) =>
	brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } });

interface Bundle {
	/** The folder below `src`. */
	readonly name: "console" | "embed";
	readonly entrypoints: readonly string[];
	readonly publicPath?: string;
	/** Files whose names stay while their content changes. */
	readonly stable: readonly string[];
	/** The exports of the generated module. */
	readonly exports: string;
}

const bundles: readonly Bundle[] = [
	{
		name: "console",
		entrypoints: ["index.html"],
		publicPath: "/console/assets/",
		stable: ["index.html"],
		exports: 'export const consoleAssets = () => assets;\nexport const consolePage = "index.html";',
	},
	{
		name: "embed",
		entrypoints: ["tollgate.tsx", "page.tsx"],
		stable: ["tollgate.js", "page.js"],
		exports: "export const embedAssets = () => assets;",
	},
];

/** Generates the module that replaces the `assets.ts` of a bundle. */
async function embedded({ name: bundle, entrypoints, publicPath, stable, exports }: Bundle): Promise<string> {
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
		const fields = JSON.stringify({ type: output.type, etag, immutable: !stable.includes(name) });
		entries.push(`[${JSON.stringify(name)}, { ...${fields}, bodies: { ${bodies} } }]`);
	}
	return [...imports, `const assets = Promise.resolve(new Map([${entries.join(",\n")}]));`, exports].join("\n");
}

/** Replaces the bundling of sources with the embedded files. */
export async function consolePlugin(): Promise<BunPlugin> {
	// Built before `onLoad`: a build that waits for another build never ends (Bun 1.4.5).
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
