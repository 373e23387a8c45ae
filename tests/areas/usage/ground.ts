import { expect } from "bun:test";
import { systemActor } from "../../../src/areas/access/rules.actors";
import { provisionCustomer } from "../../../src/areas/customers/operations";
import { createFeature, getFeature, updateFeature } from "../../../src/areas/features/operations";
import type { MeterInput } from "../../../src/areas/features/schema";
import type { RetryOptions } from "../../../src/areas/usage/archive/retries";
import { Aggregator } from "../../../src/areas/usage/counting/aggregator";
import { EventLog, type EventLogOptions } from "../../../src/areas/usage/log/event-log";
import { currentUsage } from "../../../src/areas/usage/operations";
import type { IngestResult, UnknownCustomers } from "../../../src/areas/usage/schema.ingest";
import type { Instant } from "../../../src/kernel/clock";
import { newUuidV7 } from "../../../src/kernel/ids";
import type { Period } from "../../../src/kernel/period";
import { openFile } from "../../../src/kernel/storage/db";
import { Epochs } from "../../../src/kernel/storage/epochs";
import { openTransactions } from "../../../src/kernel/storage/transactions";
import { folderOfTest } from "../../support/folders";
import { freshFolder, testNow } from "../../support/world";

export interface SentEvent {
	readonly eventName: string;
	readonly customerId: string;
	readonly idempotencyKey: string;
	readonly resourceId?: string | null;
	readonly timestamp?: string;
	readonly dimensions?: Readonly<Record<string, string | number | boolean>>;
}

/** Returns an event of customer "acme", one call to the API. */
export const event = (more: Partial<SentEvent> = {}): SentEvent => ({
	eventName: "api.call",
	customerId: "acme",
	idempotencyKey: "k1",
	...more,
});

export const textOf = (events: readonly unknown[]): string => JSON.stringify({ events });

/** The files of a data folder and the jobs on them, without HTTP and without threads. */
export function ground(options: Partial<EventLogOptions> = {}, retry: RetryOptions = {}) {
	const folder = options.folder ?? freshFolder(folderOfTest());
	const db = openFile(folder, "main", ["usage", "events"]);
	const clock = { now: () => testNow };
	// As in a server: readers cache totals until `epochs` reports a change.
	const epochs = new Epochs();
	const transactions = openTransactions({ db, clock, newId: newUuidV7, wake: () => {}, epochs });
	const troubles: unknown[] = [];
	const openLog = () => new EventLog({ onTrouble: (error) => troubles.push(error), ...options, folder });
	const openAggregator = (chunkEvents = 1000) =>
		new Aggregator({ folder, chunkEvents, clock, onChanged: (of) => epochs.counted(of), ...retry });
	const jobs = { log: openLog(), aggregator: openAggregator() };

	const send = (
		events: readonly unknown[],
		environmentId = "env",
		unknownCustomers: UnknownCustomers = "refuse",
	): IngestResult => {
		const [result] = jobs.log.ingest([{ environmentId, now: testNow, unknownCustomers, text: textOf(events) }]);
		if (!result) throw new Error("no answer");
		return result;
	};

	return {
		folder,
		/** The reading connection. */
		file: db.$client,
		transactions,
		jobs,
		troubles,
		openLog,
		openAggregator,
		send,
		/** Sends events, and expects them to be accepted. */
		take: (events: readonly unknown[], environmentId = "env"): void => {
			expect(send(events, environmentId)).toEqual({ kind: "accepted" });
		},
		cancel: (events: readonly unknown[], environmentId = "env"): IngestResult => {
			const text = JSON.stringify({ actorId: "key", events });
			const [result] = jobs.log.ingest([
				{ environmentId, now: testNow, unknownCustomers: "refuse", text, format: "cancellation" },
			]);
			if (!result) throw new Error("no answer");
			return result;
		},
		/** Restarts as after a kill: memory is lost, the files stay. */
		crash: (chunkEvents?: number): void => {
			jobs.log = openLog();
			jobs.aggregator = openAggregator(chunkEvents);
		},
		/** For tests that open many of them. */
		close: (): void => {
			jobs.log.close();
			jobs.aggregator.close();
			db.$client.close();
		},
		customer: (id: string, environmentId = "env"): string =>
			transactions.write(systemActor(environmentId), (work) => provisionCustomer(work, { id }).id),
		/** Creates a metered feature; returns its row id. */
		meter: (id: string, meter: MeterInput, environmentId = "env"): string =>
			transactions.write(systemActor(environmentId), (work) => {
				createFeature(work, { id, displayName: id, featureType: "NUMBER", meterType: "INCREMENTAL" });
				return updateFeature(work, id, { meter }).id;
			}),
		changeMeter: (id: string, meter: MeterInput, environmentId = "env"): void => {
			transactions.write(systemActor(environmentId), (work) => {
				updateFeature(work, id, { meter });
			});
		},
		usage: (
			featureId: string,
			customerId: string,
			{ resourceId = null, period = null, environmentId = "env" }: UsageOptions = {},
		): string =>
			transactions.read(systemActor(environmentId), (work) => {
				const feature = getFeature(work, featureId);
				return currentUsage(work, { featureId: feature.id, customerId, resourceId, period });
			}),
	};
}

interface UsageOptions {
	readonly resourceId?: string | null;
	readonly period?: Period | null;
	readonly environmentId?: string;
}

export const count: MeterInput = { aggregation: { function: "COUNT" }, filters: [] };
export const sumOf = (field: string): MeterInput => ({ aggregation: { function: "SUM", field }, filters: [] });
export const named = (eventName: string): MeterInput["filters"][number] => ({
	conditions: [{ field: "eventName", operation: "EQUALS", value: eventName }],
});
export const at = (text: string): Instant => Date.parse(text) as Instant;
