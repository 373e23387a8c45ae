/**
 * `bun run check`: types, format and lint, import rules, unused code, the OpenAPI document, the language. Runs all checks, one on each
 * core, and fails if a check fails.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import type { OpenAPI3 } from "openapi-typescript";
import pLimit from "p-limit";
import { openApiDocument } from "../src/cli/openapi";
import { writeClientTypes } from "./client-types";

const folder = mkdtempSync(join(tmpdir(), "tollgate-check-"));
const openapi = join(folder, "openapi.json");

// The native compiler takes a sixth of the time. Version 6 stays for the tools that call the compiler from JavaScript.
const tsc = "../typescript-native/bin/tsc";

type Checks = Readonly<Record<string, readonly string[]>>;

/** The longest comes first. */
const ofSources: Checks = {
	// Several checkers take half the time of one, and twice the processor time: each infers the types of the libraries again.
	types: [tsc, "--noEmit", "--checkers", "1"],
	language: ["../../scripts/language/check.ts"],
	"types of the console": [tsc, "--noEmit", "--checkers", "1", "--project", "src/console"],
	"types of the widgets": [tsc, "--noEmit", "--checkers", "1", "--project", "src/embed"],
	lint: ["biome", "ci", "--error-on-warnings", "--colors=off", "--max-diagnostics=20"],
};

/** These read the OpenAPI document, or the types of the clients, which are made from it. */
const ofDocument: Checks = {
	imports: ["depcruise", "--config", ".dependency-cruiser.mjs", "src", "tests", "clients"],
	"types of the clients": [tsc, "--noEmit", "--checkers", "1", "--project", "clients"],
	unused: ["knip"],
	// Code that only tests call is unused too.
	"unused by the program": ["knip", "--production"],
	openapi: ["redocly", "lint", "--max-problems=20", openapi],
};

/** Runs one check and prints its output whole when it ends, so that two checks do not mix their lines. */
async function passes(name: string, [command = "", ...args]: readonly string[]): Promise<boolean> {
	const child = Bun.spawn([process.execPath, "--bun", `node_modules/.bin/${command}`, ...args], {
		stdio: ["ignore", "pipe", "pipe"],
		// Without these, the linter of the document looks for updates on the network.
		env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
	});
	const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
	const passed = (await child.exited) === 0;
	console.log(`${output}${errors}${passed ? "ok    " : "FAILED"} ${name}`);
	return passed;
}

const oneForEachCore = pLimit(availableParallelism());
const run = (checks: Checks): Array<Promise<boolean>> =>
	Object.entries(checks).map(([name, command]) => oneForEachCore(() => passes(name, command)));

async function writeDocument(): Promise<void> {
	const document = await openApiDocument();
	writeFileSync(openapi, JSON.stringify(document));
	await writeClientTypes(document as OpenAPI3);
}

// The document takes a core, too.
const written = oneForEachCore(writeDocument);
const first = run(ofSources);
await written;
const results = await Promise.all([...first, ...run(ofDocument)]);
rmSync(folder, { recursive: true });
process.exitCode = results.every(Boolean) ? 0 : 1;
