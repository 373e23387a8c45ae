import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const root = resolve(import.meta.dir, "../../..");
const transpiler = new Bun.Transpiler({ loader: "ts", trimUnusedImports: true });

/** Returns the project's modules that a thread loads with this one. Modules of a dynamic import are loaded later. */
function loadedWith(entry: string): string[] {
	const loaded = new Set<string>();
	const visit = (file: string): void => {
		if (loaded.has(file)) return;
		loaded.add(file);
		for (const { kind, path } of transpiler.scanImports(readFileSync(file, "utf8"))) {
			const imported = `${join(dirname(file), path)}.ts`;
			if (kind === "import-statement" && path.startsWith(".") && existsSync(imported)) visit(imported);
		}
	};
	visit(join(root, entry));
	return [...loaded].map((file) => relative(root, file));
}

/** Each entry with the modules that its thread does not need before it is ready. */
const notNeeded: ReadonlyArray<readonly [entry: string, modules: RegExp]> = [
	["src/cli/commands.ts", /^src\/(server|workers|folder|routes|scheduler)\//],
	[
		"src/server/start.ts",
		/^src\/(app\.ts|routes|scheduler|graphql|areas\/(subscriptions|invoices|entitlements|contracts)\/)/,
	],
	[
		"src/server/http-thread.ts",
		/^src\/(app\.ts|scheduler|areas\/(subscriptions\/(lifecycle|import|versions)|invoices\/pdf)\/)/,
	],
	["src/server/http-thread.ts", /^src\/(routes\/(?!groups|compose)|areas\/.*\/routes)/],
	[
		"src/workers/threads/writer.ts",
		/^src\/(app\.ts|scheduler|routes\/(?!groups|compose)|graphql\/schema|areas\/(.*\/routes|contracts|simulations|subscriptions\/lifecycle))/,
	],
	["src/workers/threads/ingester.ts", /^src\/(routes|server|scheduler|areas\/(?!usage\/))/],
	[
		"src/workers/threads/aggregator.ts",
		/^src\/(app\.ts|routes|scheduler|areas\/(subscriptions|invoices|credits|entitlements)\/)/,
	],
];

test.each(notNeeded)("%s loads no module of %p at a start", (entry, modules) => {
	const loaded = loadedWith(entry);
	expect(loaded).toContain(entry);
	expect(loaded.filter((file) => modules.test(file))).toEqual([]);
});
