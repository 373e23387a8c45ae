import { expect, test } from "bun:test";
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { testsFolder } from "../support/folders";
import { ended, start, startServer, temporaryFolder, testKey } from "../support/process";

const root = resolve(import.meta.dir, "../..");

test("a client generated from the document compiles, and works against a running server", async () => {
	const data = temporaryFolder();
	const server = await startServer(data.folder, { TOLLGATE_DEMO: "1" });
	const project = mkdtempSync(join(testsFolder, "client-"));
	try {
		const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as OpenAPI3;
		writeFileSync(join(project, "generated.ts"), astToString(await openapiTS(document)));
		copyFileSync(join(import.meta.dir, "client/example.ts"), join(project, "example.ts"));
		symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
		const run = (...args: readonly string[]) => ended(start([process.execPath, ...args], {}, { cwd: project }));
		const compiled = await run(
			"--bun",
			join(root, "node_modules/typescript-native/bin/tsc"),
			...["--noEmit", "--strict", "--target", "esnext", "--module", "preserve", "--skipLibCheck"],
			...["--moduleResolution", "bundler", "--types", "bun-types", "example.ts"],
		);
		expect(compiled).toEqual({ status: 0, output: "", errors: "" });
		const ran = await run("example.ts", server.url, testKey);
		expect(JSON.parse(ran.output)).toEqual({
			plan: "plan-generated",
			isGranted: true,
			coupons: 1,
			next: "string",
			refusal: "PlanNotFound",
			pdf: "%PDF-",
			wrongCurrency: "xyz",
		});
	} finally {
		await server.stop();
		data.remove();
		rmSync(project, { recursive: true, force: true });
	}
}, 120_000);
