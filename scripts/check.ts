/**
 * `bun run check`: types, format and lint, import rules, unused code, the OpenAPI document. Runs all, then fails if one
 * has failed.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OpenAPI3 } from "openapi-typescript";
import { openApiDocument } from "../src/cli/openapi";
import { writeClientTypes } from "./client-types";

const folder = mkdtempSync(join(tmpdir(), "tollgate-check-"));
const openapi = join(folder, "openapi.json");
const document = await openApiDocument();
writeFileSync(openapi, JSON.stringify(document));
await writeClientTypes(document as OpenAPI3);

const checks: Record<string, string[]> = {
	types: ["tsc", "--noEmit"],
	"types of the console": ["tsc", "--noEmit", "--project", "src/console"],
	"types of the widgets": ["tsc", "--noEmit", "--project", "src/embed"],
	"types of the clients": ["tsc", "--noEmit", "--project", "clients"],
	lint: ["biome", "ci", "--error-on-warnings", "--colors=off", "--max-diagnostics=20"],
	imports: ["depcruise", "--config", ".dependency-cruiser.mjs", "src", "tests", "clients"],
	unused: ["knip"],
	// What only tests call is unused as well.
	"unused by the program": ["knip", "--production"],
	openapi: ["redocly", "lint", "--max-problems=20", openapi],
};

let failed = 0;
for (const [name, [command = "", ...args]] of Object.entries(checks)) {
	const { exitCode } = Bun.spawnSync([process.execPath, "--bun", `node_modules/.bin/${command}`, ...args], {
		stdio: ["ignore", "inherit", "inherit"],
		// The linter of the document would ask the network for news.
		env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
	});
	console.log(`${exitCode === 0 ? "ok    " : "FAILED"} ${name}`);
	if (exitCode !== 0) failed += 1;
}
rmSync(folder, { recursive: true });
process.exitCode = failed === 0 ? 0 : 1;
