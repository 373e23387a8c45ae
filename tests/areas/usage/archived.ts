import { expect } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Archiver } from "../../../src/areas/usage/archive/archiver";
import type { ArchiveSlice } from "../../../src/areas/usage/archive/messages";
import type { RetryOptions } from "../../../src/areas/usage/archive/retries";
import type { EventLog, EventLogOptions } from "../../../src/areas/usage/log/event-log";
import type { Instant } from "../../../src/kernel/clock";
import { testNow } from "../../support/world";
import { count, event, ground, type SentEvent, sumOf } from "./ground";

/** The requirements of archiving: a folder, and the only writer of its log. */
interface Archivable {
	readonly folder: string;
	readonly jobs: { readonly log: Pick<EventLog, "archive"> };
}
export const dayMs = 86_400_000;

class Killed extends Error {}

/** Archives events older than `keepDays`; a kill comes before the slice `killedAt`, if given. */
export async function archive(
	site: Archivable,
	keepDays: number,
	{ killedAt = -1, fileBlocks = 8192, at = testNow } = {},
) {
	let slices = 0;
	const archiver = new Archiver({
		folder: site.folder,
		keepDays,
		fileBlocks,
		clock: { now: () => at as Instant },
		isStopping: () => false,
		move: async (slice: ArchiveSlice) => {
			if (slices === killedAt) throw new Killed();
			slices += 1;
			expect(site.jobs.log.archive(slice)).toBe(true);
		},
	});
	try {
		await archiver.run();
	} catch (error) {
		if (!(error instanceof Killed)) throw error;
	} finally {
		archiver.close();
	}
	return slices;
}

/** The files of an archive. */
export const files = (site: { readonly folder: string }) =>
	existsSync(join(site.folder, "archive")) ? readdirSync(join(site.folder, "archive")).sort() : [];

export const reported = (key: number, daysAgo: number, more: Partial<SentEvent> = {}) =>
	event({
		idempotencyKey: `k${key}`,
		timestamp: new Date(testNow - daysAgo * dayMs).toISOString(),
		dimensions: { amount: key % 10 },
		...more,
	});

/** Ten days of events, some in one block with younger ones. */
export function tenDays(retry: RetryOptions = {}, options: Partial<EventLogOptions> = {}) {
	const site = ground(options, retry);
	const acme = site.customer("acme");
	site.meter("calls", count);
	site.meter("amounts", sumOf("amount"));
	for (let day = 10; day >= 1; day -= 1)
		for (let at = 0; at < 30; at += 1) site.take([reported(day * 100 + at, day - at / 100)]);
	site.take([reported(1, 9), reported(2, 0.2)]);
	site.jobs.aggregator.run();
	return { site, acme };
}
