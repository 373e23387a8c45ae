import { Elysia } from "elysia";
import { identity } from "../http/identity";
import { toIso } from "../kernel/clock";
import { single } from "../kernel/schema";
import type { Work } from "../kernel/work";
import type { Services } from "../server/context";
import { version } from "../version";
import { figuresOfFolder } from "./folder";
import { sumSince } from "./history";
import { statusOperations as operations } from "./openapi";
import { readRecord, type StatusRecord } from "./record";
import { conditionsOf } from "./rules.status";
import { SystemStatus } from "./schema";

const hourMs = 3_600_000;

/** The monitor writes its record each minute. Older figures say nothing of the present. */
const freshMs = 5 * 60_000;

/** Those who may change environments see the state of the installation. */
export const statusRoutes = (services: Services, uncountedEvents: (work: Work) => number) =>
	new Elysia({ prefix: "/api/v1/system-status", tags: ["Health"], normalize: false }).use(identity(services)).get(
		"",
		async ({ read }) => {
			const { disk, notReady } = services;
			const { folder } = disk;
			const [record, files, message] = await Promise.all([readRecord(folder), figuresOfFolder(folder), disk.trouble()]);
			return read((work) => {
				const live = [...files.map(({ name, value }) => [name, value] as const)];
				const uncounted = ["tollgate_events_uncounted", uncountedEvents(work)] as const;
				const recorded = recordedAt(record, work.machineNow);
				const figures = new Map([...recorded, ...live, uncounted]);
				return {
					data: {
						version,
						...{ missing: [...notReady()], message: message ?? null },
						...viewHistory(record, work.machineNow),
						figures: [
							...recorded,
							["tollgate_disk_free_bytes", figures.get("tollgate_disk_free_bytes") ?? 0] as const,
						].map(([name, value]) => ({ name, value })),
						conditions: conditionsOf(figures, work.machineNow / 1000).map(({ remedy, ...condition }) => ({
							...condition,
							remedy: [...remedy],
						})),
					},
				};
			});
		},
		{ detail: operations.system, permit: "ENVIRONMENT:WRITE", response: single(SystemStatus) },
	);

/** Whether the server measures now. */
const isFresh = (record: StatusRecord | undefined, now: number): record is StatusRecord =>
	record !== undefined && Math.abs(now - record.at) < freshMs;

const recordedAt = (record: StatusRecord | undefined, now: number): ReadonlyArray<readonly [string, number]> =>
	isFresh(record, now) ? Object.entries(record.figures) : [];

function viewHistory(record: StatusRecord | undefined, now: number) {
	if (!isFresh(record, now))
		return { measuredSince: null, measuredAt: null, lastHour: null, lastDay: null, points: [] };
	const { points, at } = record;
	return {
		measuredSince: points[0] ? toIso(points[0].at) : null,
		measuredAt: toIso(at),
		lastHour: sumSince(points, now - hourMs),
		lastDay: sumSince(points, now - 24 * hourMs),
		points: points.map((point) => ({
			...{ at: toIso(point.at), requests: point.requests, failed: point.failed },
			p99Ms: sumSince([point], 0).p99Ms,
		})),
	};
}
