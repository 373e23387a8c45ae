import { type Instant, toIso, toIsoOrNull } from "../../kernel/clock";
import { addDays } from "../../kernel/period";
import type { Work } from "../../kernel/work";
import { customersByIds, resourcesByIds } from "../customers/operations";
import { scheduleNotice, writeEvent } from "../outbox/operations";
import type { SubscriptionPayload } from "../outbox/schema";
import { versionsByIds } from "../packages/operations";
import { viewBillingPeriod } from "../pricing/rules.billing-period";
import { billingPeriodAt } from "./rules";
import type { SubscriptionRow } from "./table";
import { selectAddons } from "./terms/store";

/** The days before the end of a trial at which its event is written (docs/webhooks.md). */
const trialNoticeDays = 7;

/**
 * Writes the events of a change at the end of the transaction, so several writes of one transaction make one event.
 * `before` is undefined for a new subscription; `now` returns the row at the end, or undefined if it was rolled back.
 */
export function writeEventsAtEnd(
	work: Work,
	id: string,
	before: SubscriptionRow | undefined,
	now: () => SubscriptionRow | undefined,
): void {
	work.atEnd(`subscription ${id}`, () => {
		const row = now();
		if (!row || (before && Bun.deepEquals(before, row))) return;
		planTrialNotice(work, before, row);
		const payload = payloadOf(work, row);
		if (!before) writeEvent(work, "subscription.created", id, payload);
		const status = before?.status;
		if (row.status === "IN_TRIAL" && status !== "IN_TRIAL") writeEvent(work, "subscription.trial_started", id, payload);
		if (row.status === "PAUSED" && status !== "PAUSED") writeEvent(work, "subscription.paused", id, payload);
		if (row.status === "ACTIVE" && status === "PAUSED") writeEvent(work, "subscription.resumed", id, payload);
		if (before && row.phase?.id !== before.phase?.id && !hasEnded(row))
			writeEvent(work, "subscription.phase_changed", id, payload);
		const [term, former] = [row.runningTerm, before?.runningTerm];
		if (term && former && term.number > former.number && !hasEnded(row))
			writeEvent(work, "subscription.term_renewed", id, payload);
		const conversionReason = status === "IN_TRIAL" ? conversionOf(row) : undefined;
		if (conversionReason) writeEvent(work, "subscription.trial_converted", id, { ...payload, conversionReason });
		if (row.status === status || !hasEnded(row)) {
			if (before) writeEvent(work, "subscription.updated", id, payload);
			return;
		}
		if (row.cancelReason === "TRIAL_ENDED") writeEvent(work, "subscription.trial_expired", id, payload);
		writeEvent(work, row.status === "CANCELED" ? "subscription.canceled" : "subscription.expired", id, payload);
	});
}

const isTrial = (row: SubscriptionRow | undefined): boolean => row?.status === "IN_TRIAL" && row.trialEndAt !== null;

function planTrialNotice(work: Work, before: SubscriptionRow | undefined, row: SubscriptionRow): void {
	if (!isTrial(row)) {
		if (isTrial(before)) scheduleNotice(work, "subscription.trial.ends_soon", row.id, null);
		return;
	}
	if (row.trialEndAt === null || (isTrial(before) && before?.trialEndAt === row.trialEndAt)) return;
	const at = Math.max(addDays(row.trialEndAt, -trialNoticeDays), work.now) as Instant;
	scheduleNotice(work, "subscription.trial.ends_soon", row.id, at);
}

/** Writes the event of a trial that ends soon, if it is still a trial. */
export function writeTrialEndsSoon(work: Work, row: SubscriptionRow): void {
	if (isTrial(row)) writeEvent(work, "subscription.trial.ends_soon", row.id, payloadOf(work, row));
}

const hasEnded = ({ status }: SubscriptionRow): boolean => status === "CANCELED" || status === "EXPIRED";

/**
 * Returns how a trial converted: it continued as a paid subscription, or another subscription to the product replaced
 * it.
 */
function conversionOf({ status, cancelReason }: SubscriptionRow) {
	if (status === "ACTIVE") return "TRIAL_ENDED" as const;
	return cancelReason === "TRIAL_CONVERTED" ? ("PAID_SUBSCRIPTION_PROVISIONED" as const) : undefined;
}

function payloadOf(work: Work, row: SubscriptionRow): SubscriptionPayload {
	const addons = selectAddons(work, [row.id]);
	const versions = versionsByIds(work, [row.versionId, ...addons.map(({ versionId }) => versionId)]);
	const customer = customersByIds(work, [row.customerId]).get(row.customerId);
	const resource = row.resourceId === null ? undefined : resourcesByIds(work, [row.resourceId]).get(row.resourceId);
	const period = row.status === "ACTIVE" ? billingPeriodAt(row, work.now) : null;
	return {
		id: row.refId,
		entityId: row.id,
		billingId: row.billingId,
		status: row.status,
		pricingType: row.pricingType,
		startDate: toIso(row.startAt),
		endDate: toIsoOrNull(row.endAt),
		cancellationDate: toIsoOrNull(row.cancelAt),
		cancelReason: row.cancelReason,
		trialEndDate: toIsoOrNull(row.trialEndAt),
		currentBillingPeriodStart: toIsoOrNull(period?.start ?? null),
		currentBillingPeriodEnd: toIsoOrNull(period?.end ?? null),
		...(row.billingPeriod === null ? { billingPeriod: null } : viewBillingPeriod(row.billingPeriod)),
		billingCurrency: row.chargedCurrency ?? row.billingCurrency,
		isTrialSubscription: row.trialEndAt !== null,
		paymentCollection: row.paymentCollection,
		resource: resource ? { id: resource.refId } : null,
		plan: { id: versions.get(row.versionId)?.refId ?? "" },
		addons: addons.map(({ versionId, quantity }) => ({ id: versions.get(versionId)?.refId ?? "", quantity })),
		customer: { id: customer?.refId ?? "" },
		metadata: row.metadata,
	};
}
