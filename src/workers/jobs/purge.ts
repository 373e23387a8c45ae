import { purgeInvitations } from "../../areas/access/members/operations.invitations";
import { purgeSessions } from "../../areas/access/operations";
import { systemActor } from "../../areas/access/rules.actors";
import { purgeResets } from "../../areas/access/sign-in/operations.passwords";
import { purgeEntries } from "../../areas/audit/retention";
import type { Removable } from "../../areas/audit/rules.anchor";
import { purgeProviderEvents } from "../../areas/collection/events/operations";
import { purgeUsedStates } from "../../areas/identity-providers/operations";
import { purgeEvents } from "../../areas/outbox/operations";
import { purgeCheckouts, purgeCustomerSessions } from "../../areas/portal/operations.sessions";
import { purgeReplays } from "../../areas/webhooks/operations";
import { purgeAnswers } from "../../http/responses/idempotency";
import type { Work } from "../../kernel/work";
import type { JobThread } from "../../tasks/job";
import { purgeTasks } from "../../tasks/operations";
import type { WorkerSettings } from "../messages";

/** The number of rows that one step deletes. */
const rowsMax = 100;

/** No environment: what has ended is removed in all of them, by the machine's time. */
const everywhere = systemActor("");

/** How long rows are kept, as the operator has set it. */
export interface KeepSettings extends Pick<WorkerSettings, "webhooksKeepDays"> {
	/** Answers which entries of the audit log may be removed. */
	readonly removableEntries: () => Promise<Removable>;
}

const pieces = [
	...[purgeTasks, purgeSessions, purgeInvitations, purgeResets, purgeAnswers],
	...[purgeCustomerSessions, purgeCheckouts, purgeUsedStates, purgeProviderEvents],
];

/**
 * Deletes data that has expired: old tasks, ended sessions and invitations, stored responses older than a day, and the events and audit
 * entries that the settings let go.
 */
export async function purge(
	{ transactions, turns, isStopping }: JobThread,
	{ webhooksKeepDays, removableEntries }: KeepSettings,
): Promise<void> {
	const removable = await removableEntries();
	const asSet = [
		(work: Work, pieceMax: number) => purgeEvents(work, webhooksKeepDays, pieceMax),
		(work: Work, pieceMax: number) => purgeReplays(work, webhooksKeepDays, pieceMax),
		(work: Work, pieceMax: number) => purgeEntries(work, removable, pieceMax),
	];
	for (const removePiece of [...pieces, ...asSet]) {
		const removeNext = () =>
			transactions.write(everywhere, (work) => {
				work.cause.operation = "scheduler.PURGE";
				return removePiece(work, rowsMax);
			}) > 0;
		for (let isLeft = true; isLeft; ) {
			await turns.next();
			if (isStopping()) return;
			do isLeft = removeNext();
			while (isLeft && !turns.isOver());
		}
	}
}
