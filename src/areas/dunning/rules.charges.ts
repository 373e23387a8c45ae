import type { Instant } from "../../kernel/clock";
import { atLocalHour, dayNumber } from "../../kernel/period";
import type { FailureBucket, ReminderKind } from "./policies/schema.values";
import { anchorAfterLast, isEnd, nextAt, type Scheduled, stepHour } from "./rules.schedule";
import type { CaseState, WaitReason } from "./schema.values";
import type { DunningCaseRow } from "./table";

/** A charge that has ended without money. `bucket` null: a person canceled it. */
export interface FailedTry {
	readonly bucket: FailureBucket | null;
	/** Whether the policy's schedule planned it. A try of a new method, or by a person, uses no step. */
	readonly isPlanned: boolean;
}

type Terms = Scheduled & Pick<DunningCaseRow, "retryBuckets" | "state">;

/** The state of a case after a charge, and the tone of the mail that follows. */
export interface AfterTry {
	readonly position: number;
	readonly anchorDay: number;
	readonly state: Extract<CaseState, "RETRYING" | "WAITING" | "FINAL_NOTICE">;
	readonly waitingFor: WaitReason | null;
	readonly nextDueAt: Instant;
	readonly mailKind: ReminderKind | null;
}

/** Returns whether a failed charge uses a step. Our fault and the provider's use none. */
export const usesStep = ({ bucket, isPlanned }: FailedTry): boolean => isPlanned && bucket !== "OURS";

/** Returns the state of a case after a charge that failed at `from`. */
export function afterFailure(terms: Terms, failed: FailedTry, timeZone: string, from: Instant): AfterTry {
	const { bucket } = failed;
	const position = Math.min(terms.reminders.length, usesStep(failed) ? terms.position + 1 : terms.position);
	if (isEnd(terms, position)) return finalNotice(terms, timeZone, from, !isEnd(terms, terms.position));
	const next = { ...terms, position };
	const { anchorDay } = terms;
	if (bucket === null || bucket === "OURS" || terms.retryBuckets?.some((one) => one === bucket)) {
		const planned = nextAt(next, timeZone, from);
		return {
			...{ position, anchorDay, state: "RETRYING", waitingFor: null },
			nextDueAt: bucket === "INSUFFICIENT_FUNDS" ? (Math.min(planned, nextPayday(from, timeZone)) as Instant) : planned,
			mailKind: bucket === null || bucket === "OURS" ? null : "CHARGE_FAILED",
		};
	}
	return waiting(next, bucket, timeZone, from);
}

/** Returns the state of a case that makes no try until the customer acts. The days of its tries still count. */
export function waiting(terms: Scheduled, waitingFor: WaitReason, timeZone: string, from: Instant): AfterTry {
	const { position, anchorDay } = terms;
	if (isEnd(terms, position)) return finalNotice(terms, timeZone, from);
	return {
		...{ position, anchorDay, state: "WAITING", waitingFor },
		nextDueAt: nextAt({ ...terms, position: terms.reminders.length - 1 }, timeZone, from),
		mailKind: waitingFor === "AUTHENTICATE" ? "AUTHENTICATION_NEEDED" : "METHOD_NEEDED",
	};
}

/** Returns the state of a case whose tries are used or over: the policy's last days run in full. */
export function finalNotice(terms: Scheduled, timeZone: string, from: Instant, isFirst = true): AfterTry {
	const anchorDay = isFirst ? anchorAfterLast(terms, from, timeZone) : terms.anchorDay;
	const position = terms.reminders.length;
	return {
		...{ position, anchorDay, state: "FINAL_NOTICE", waitingFor: null },
		nextDueAt: nextAt({ ...terms, position, anchorDay }, timeZone, from),
		mailKind: isFirst ? "FINAL" : null,
	};
}

/** Returns 08:00 of the next 1st, 15th or Friday after the day of an instant. */
function nextPayday(from: Instant, timeZone: string): Instant {
	let day = dayNumber(from, timeZone) + 1;
	while (!isPayday(day)) day += 1;
	return atLocalHour(day, stepHour, timeZone);
}

function isPayday(day: number): boolean {
	const date = new Date(day * 86_400_000);
	return date.getUTCDate() === 1 || date.getUTCDate() === 15 || date.getUTCDay() === 5;
}
