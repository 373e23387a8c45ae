import { describe, expect, test } from "bun:test";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { useStorage } from "../../../../src/areas/usage/archive/operations.storage";
import { checkingFingerprints } from "../../../../src/areas/usage/log/operations.check";
import { recounting } from "../../../../src/areas/usage/recount/operations";
import { carriedOutInTime, FileUnreadable, step } from "../../../../src/kernel/storage/failures";
import { folderOfTest } from "../../../support/folders";
import { archive, tenDays } from "../archived";
import { filesHere, Killed, moved, serve, settingsOf, stored, upload } from "../stored";

/** Ten days of events, of which five are archived. */
async function archived() {
	const made = tenDays();
	await archive(made.site, 5);
	return made;
}

describe("files of old events", () => {
	test("are in exactly one place after a kill at any point, and a whole object is not sent again", async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(fc.nat(8), { maxLength: 4 }), async (kills) => {
				const server = serve();
				const settings = settingsOf(server);
				const { site, acme } = await archived();
				const names = filesHere(site);
				for (const killedAt of kills) {
					await upload(site, { settings, killedAt }).catch((error) => expect(error).toBeInstanceOf(Killed));
					site.crash();
					// Each file is in the folder, or was read back from the storage and is recorded as stored.
					expect(filesHere(site).length + stored(site)).toBeGreaterThanOrEqual(names.length);
				}
				await upload(site, { settings });
				expect([stored(site), filesHere(site)]).toEqual([names.length, []]);
				expect(server.requests.filter((asked) => asked.startsWith("PUT")).length).toBe(names.length);
				useStorage(site.folder, settings);
				site.crash();
				site.jobs.aggregator.rebuild({ taskId: "anew", environmentId: null, featureId: null });
				await carriedOutInTime(step(() => site.jobs.aggregator.run()));
				expect(site.usage("calls", acme)).toBe("302");
				expect(await carriedOutInTime(recounting(site.folder, folderOfTest()))).toEqual([]);
				expect(await carriedOutInTime(checkingFingerprints(site.folder))).toEqual([]);
				site.close();
			}),
			{ numRuns: 8 },
		);
	}, 60_000);

	test("stay in the folder if a kill came before their deletion: the next run deletes them", async () => {
		const { site, settings } = await moved();
		const name = "2026-01-21-1.zst";
		writeFileSync(join(site.folder, "archive", name), "what a kill has left");
		await upload(site, { settings });
		expect(filesHere(site)).toEqual([]);
		// Objects of another bucket are unknown.
		writeFileSync(join(site.folder, "archive", name), "brought back by the owner");
		await upload(site, { settings: { ...settings, prefix: "other/" } });
		expect(filesHere(site)).toEqual([name]);
	});

	describe.each([
		["answers nothing but failures", { kind: { status: 500, code: "InternalError" } }],
		["never answers", { kind: "silence" }],
		["knows no such key", { kind: { status: 403, code: "InvalidAccessKeyId" } }],
		["has no such bucket", { kind: { status: 404, code: "NoSuchBucket" } }],
	] as const)("stay here while the storage %s", (_, fault) => {
		test("and go there once it works", async () => {
			const server = serve();
			const settings = settingsOf(server);
			const { site } = await archived();
			const repair = server.fail(fault);
			await expect(upload(site, { settings, patienceMs: 300 })).rejects.toThrow("S3 storage");
			expect([stored(site), filesHere(site).length]).toEqual([0, 5]);
			repair();
			await upload(site, { settings });
			expect([stored(site), filesHere(site)]).toEqual([5, []]);
		});
	});

	test("stay in the folder if the written object cannot be read back", async () => {
		const server = serve();
		const settings = settingsOf(server);
		const { site } = await archived();
		for (const kind of ["damage", "half body"] as const) {
			const repair = server.fail({ kind, method: "GET" });
			await expect(upload(site, { settings })).rejects.toBeInstanceOf(FileUnreadable);
			expect([stored(site), filesHere(site).length]).toEqual([0, 5]);
			repair();
		}
		await upload(site, { settings });
		expect(stored(site)).toBe(5);
	});

	test("are moved except for a damaged one, which is named", async () => {
		const server = serve();
		const { site } = await archived();
		const [damaged = ""] = filesHere(site);
		truncateSync(join(site.folder, "archive", damaged), 40);
		const troubles: unknown[] = [];
		await upload(site, { settings: settingsOf(server), onTrouble: (error) => troubles.push(error) });
		expect([stored(site), filesHere(site)]).toEqual([4, [damaged]]);
		expect(troubles.map(String)).toEqual([expect.stringContaining(`archive/${damaged} is not what was written`)]);
	});
});
