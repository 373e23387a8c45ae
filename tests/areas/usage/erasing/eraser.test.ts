import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { MeterInput } from "../../../../src/areas/features/schema";
import { openFile } from "../../../../src/kernel/storage/db";
import { folderOfTest } from "../../../support/folders";
import { slowRuns } from "../../../support/runs";
import { testNow } from "../../../support/world";
import { values } from "../aggregation-oracle";
import { archive, dayMs } from "../archived";
import { count, event, ground, type SentEvent } from "../ground";
import { checkFingerprints, recountUsage } from "../recounted";
import { eraseAcme } from "./erase";

type Site = ReturnType<typeof ground>;

const unique: MeterInput = { aggregation: { function: "UNIQUE", field: "by" }, filters: [] };
const of = (name: "SUM" | "MAX" | "AVG" | "LATEST" | "PERCENTILE", field = "amount"): MeterInput => ({
	aggregation: { function: name, field, ...(name === "PERCENTILE" && { percentile: 50 }) },
	filters: [],
});
const where = (
	operation: MeterInput["filters"][number]["conditions"][number]["operation"],
	field: string,
	value: string,
	aggregation: MeterInput["aggregation"] = { function: "COUNT" },
): MeterInput => ({ aggregation, filters: [{ conditions: [{ field, operation, value }] }] });

const meters: Readonly<Record<string, MeterInput>> = {
	calls: count,
	users: unique,
	"users-of-host": where("ENDS_WITH", "by", "@acme.example", { function: "UNIQUE", field: "by" }),
	"not-bot": where("NOT_EQUALS", "by", "bot", { function: "UNIQUE", field: "by" }),
	"any-value": { aggregation: { function: "UNIQUE", field: "amount" }, filters: [] },
	sums: of("SUM"),
	greatest: of("MAX"),
	mean: of("AVG"),
	latest: of("LATEST"),
	middle: of("PERCENTILE"),
	"in-europe": where("EQUALS", "region", "eu"),
	beyond: where("GREATER_THAN", "amount", "1"),
	"has-zz": where("CONTAINS", "note", "zz"),
};

const people = ["ada@acme.example", "bob@other.example", "bot", "zz person", 7, "7", true, "p".repeat(70)] as const;
const dimensions = fc.record(
	{
		by: fc.constantFrom(...people),
		amount: fc.constantFrom(...values.filter((value) => value !== undefined)),
		region: fc.constantFrom("eu", "us", "zz region"),
		note: fc.constantFrom("zz note", "a note", "n".repeat(80)),
	},
	{ requiredKeys: [] },
);
const sent = fc.record({
	at: fc.integer({ min: 0, max: 5 * 24 }),
	resourceId: fc.constantFrom(null, null, "r1"),
	who: fc.constantFrom("acme", "acme", "other"),
	dimensions,
});

const reported = (events: readonly (typeof sent extends fc.Arbitrary<infer One> ? One : never)[]): SentEvent[] =>
	events.map(({ at, who, ...more }, index) =>
		event({
			...more,
			customerId: who,
			idempotencyKey: `zz key ${index}`,
			timestamp: new Date(testNow - 6 * dayMs + at * 3_600_000 + index).toISOString(),
		}),
	);

/**
 * Returns the results of each meter for each customer and resource, over all time and within a period that begins and
 * ends within hours.
 */
const answers = (site: Site, ids: readonly string[]) =>
	Object.keys(meters).flatMap((meter) =>
		ids.flatMap((customerId) =>
			[null, "r1"].flatMap((resourceId) =>
				[null, { start: testNow - 5 * dayMs + 1_800_000, end: testNow - 2 * dayMs - 1_800_000 }].map((period) =>
					[meter, resourceId, site.usage(meter, customerId, { resourceId, period: period as never })].join(" "),
				),
			),
		),
	);

function made() {
	const site = ground();
	const ids = [site.customer("acme"), site.customer("other")];
	for (const [id, meter] of Object.entries(meters)) site.meter(id, meter);
	return { site, ids };
}

/** Returns the text of all files in the folder. */
function bytesOf(site: Site): string {
	for (const file of ["main", "events", "usage"] as const) {
		const { $client } = openFile(site.folder, file);
		$client.run("PRAGMA wal_checkpoint(TRUNCATE)");
		$client.close();
	}
	return readdirSync(site.folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
		.join("\n");
}

describe("the usage events of a customer who is erased", () => {
	test("keep every meter's totals, also after a recount; a repeated event counts once", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(sent, { minLength: 1, maxLength: 300 }),
				fc.boolean(),
				fc.integer({ min: -1, max: 3 }),
				async (events, isArchived, killedAt) => {
					const { site, ids } = made();
					try {
						const all = reported(events);
						for (let from = 0; from < all.length; from += 100) site.take(all.slice(from, from + 100));
						site.jobs.aggregator.run();
						if (isArchived) await archive(site, 3, { fileBlocks: 2 });
						const before = answers(site, ids);
						const rest = site.file.query("SELECT count(*) AS events FROM event_cancellations").get();
						if ((await eraseAcme(site, ids[0] ?? "", { killedAt })) < 0) {
							site.crash();
							await eraseAcme(site, ids[0] ?? "");
						}
						expect(answers(site, ids)).toEqual(before);
						expect(site.file.query("SELECT count(*) AS events FROM event_cancellations").get()).toEqual(rest);
						expect(await eraseAcme(site, ids[0] ?? "")).toBe(0);
						expect(recountUsage(site.folder, folderOfTest())).toEqual([]);
						expect(checkFingerprints(site.folder)).toEqual([]);
						site.crash();
						site.take(all);
						site.jobs.aggregator.run();
						expect(answers(site, ids)).toEqual(before);
						site.jobs.aggregator.rebuild({ taskId: "t", environmentId: null, featureId: null });
						site.jobs.aggregator.run();
						expect(answers(site, ids)).toEqual(before);
						expect(site.troubles).toEqual([]);
					} finally {
						site.close();
					}
				},
			),
			slowRuns(6),
		);
	}, 90_000);

	test.each([false, true])(
		"are in no file of the folder any more; archived: %p",
		async (isArchived) => {
			const { site, ids } = made();
			const personal = (index: number, more: object): SentEvent =>
				event({
					idempotencyKey: `zzkey-${index}@acme.example`,
					timestamp: new Date(testNow - (index % 6) * dayMs).toISOString(),
					dimensions: { by: `zzby-${index % 20}@acme.example`, phone: `zz+49 ${index}`, amount: index, ...more },
				});
			for (let from = 0; from < 600; from += 100)
				site.take(Array.from({ length: 100 }, (_, at) => personal(from + at, { free: `zzfree ${"x".repeat(100)}` })));
			site.take([
				event({ customerId: "other", idempotencyKey: "kept", dimensions: { by: "yyother", note: "yynote" } }),
			]);
			site.jobs.aggregator.run();
			if (isArchived) await archive(site, 3, { fileBlocks: 2 });
			expect(bytesOf(site)).toContain(isArchived ? "zzby" : "zzfree");
			expect(await eraseAcme(site, ids[0] ?? "")).toBe(600);
			site.jobs.aggregator.run();
			site.close();
			const bytes = bytesOf(site);
			for (const mark of ["zzkey", "zzby", "zz+49", "zzfree"]) expect(bytes).not.toContain(mark);
			for (const mark of ["yyother", "yynote", "erased-"]) expect(bytes).toContain(mark);
		},
		60_000,
	);
});
