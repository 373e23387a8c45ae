import { type Static, Type } from "@sinclair/typebox";
import { numberIn, wholeNumber } from "./setting";

/** The memory for the newest events before they go to a file, and for work on the files. */
const knownMiBMin = 32;

/** Longer than a delivery is tried, and than a failing endpoint stays enabled. */
const webhooksKeepDaysMin = 7;

const daysMax = 99_999;

/** Settings for how long growing data is kept, and for its size. */
export const retentionSettings = Type.Object({
	TOLLGATE_EVENTS_KEEP_DAYS: Type.Optional(
		wholeNumber(1, daysMax, {
			unit: "days",
			description: "usage events that are older by whole days move to compressed files; unset, they stay in events.db",
		}),
	),
	TOLLGATE_EVENTS_KNOWN_DAYS: Type.Optional(
		wholeNumber(1, daysMax, {
			unit: "days",
			description: "how many days a usage event is known when it is sent again; unset, for ever",
		}),
	),
	TOLLGATE_EVENTS_KNOWN_MIB: wholeNumber(knownMiBMin, 999_999, {
		unit: "MiB",
		default: "256",
		description: "how much memory it may take to know events that are sent again, in MiB",
	}),
	TOLLGATE_BACKUPS_KEEP_DAYS: wholeNumber(0, daysMax, {
		unit: "days",
		default: "30",
		description: "how many days backups are kept: objects of the bucket that an erasure replaces stay as long",
	}),
	TOLLGATE_WEBHOOKS_KEEP_DAYS: wholeNumber(webhooksKeepDaysMin, daysMax, {
		unit: "days",
		default: "30",
		description: "how many days events for webhooks, and what was sent of them, are kept",
	}),
	TOLLGATE_AUDIT_KEEP_DAYS: Type.Optional(
		wholeNumber(1, daysMax, { unit: "days", description: "how many days the audit log is kept; unset, for ever" }),
	),
	TOLLGATE_PDF_HOURS: wholeNumber(1, 9999, {
		unit: "hours",
		default: "24",
		description: "how long a finished PDF is kept",
	}),
	TOLLGATE_PDF_MIB: wholeNumber(1, 999_999, {
		unit: "MiB",
		default: "256",
		description: "how much room finished PDFs may take",
	}),
});

export interface RetentionConfig {
	/** Undefined: events are never archived. */
	readonly eventsKeepDays: number | undefined;
	/** How long repeated events are recognized; undefined: forever. */
	readonly eventsKnownDays: number | undefined;
	readonly eventsKnownBytesMax: number;
	/** How long backups are kept, and with them the objects of the bucket that an erasure has replaced. */
	readonly backupsKeptMs: number;
	/** How long events of the feed and their deliveries are kept. */
	readonly webhooksKeepDays: number;
	/** Undefined: the audit log is kept forever. */
	readonly auditKeepDays: number | undefined;
	readonly pdfLifetimeMs: number;
	readonly pdfBytesMax: number;
}

export const readRetention = (given: Static<typeof retentionSettings>): RetentionConfig => ({
	eventsKeepDays: numberIn(given.TOLLGATE_EVENTS_KEEP_DAYS),
	eventsKnownDays: numberIn(given.TOLLGATE_EVENTS_KNOWN_DAYS),
	eventsKnownBytesMax: Number(given.TOLLGATE_EVENTS_KNOWN_MIB) * 1024 * 1024,
	backupsKeptMs: Number(given.TOLLGATE_BACKUPS_KEEP_DAYS) * 24 * 60 * 60 * 1000,
	webhooksKeepDays: Number(given.TOLLGATE_WEBHOOKS_KEEP_DAYS),
	auditKeepDays: numberIn(given.TOLLGATE_AUDIT_KEEP_DAYS),
	pdfLifetimeMs: Number(given.TOLLGATE_PDF_HOURS) * 60 * 60 * 1000,
	pdfBytesMax: Number(given.TOLLGATE_PDF_MIB) * 1024 * 1024,
});
