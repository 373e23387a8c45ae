import type { Instant } from "../../../kernel/clock";
import { exact } from "../../../kernel/decimal";
import { DomainError } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { assertKnownIntegration } from "../../customers/rules";
import { haveSamePrices } from "../../packages/rules.phases";
import { type Billed, billChange } from "../billing/change";
import type { Billing } from "../billing/change/requested";
import { movedCycle } from "../billing/cycle";
import { grantRecurringCredits } from "../credits/grant-recurring";
import type { ProrationBehavior } from "../schema.provision";
import { changeSubscription, selectSuccessors } from "../store";
import { endUpdates, selectDueUpdates } from "../store.updates";
import type { SubscriptionRow } from "../table";
import { applySale } from "../terms/apply-sale";
import { assertOneWay, changeCoupon, changeCoupons, couponChoice } from "../terms/coupons";
import { changedTerms, changeTermsOfSuccessors } from "../terms/customer-terms";
import { type PreparedChange, prepareMergedChange, prepareNextPart } from "../terms/prepare-change";
import { entitlementsOf } from "../terms/requested-terms";
import { isTerm, partsOf } from "../terms/rules.update";
import type { Sale } from "../terms/sale";
import { replaceEntitlements, replaceQuantities, selectQuantities } from "../terms/store";
import { insertVersionChange } from "../terms/store.version-changes";
import { saleOf } from "../terms/subscription-sale";
import { runningTermOf } from "../terms/term";
import { cancelPendingPayments, voidUnpaidUpdates } from "./end";

/**
 * Applies a change: writes the new terms and bills the difference. A change of terms discards what waits for a payment, since
 * that was invoiced on other terms.
 */
export function applyUpdate(work: Work, row: SubscriptionRow, prepared: PreparedChange, billing: Billing): Billed {
	const before = discardPendingPayments(work, row, prepared, billing);
	const saleBefore = chargedSale(work, before, prepared);
	const after = writeChange(work, before, prepared, billing);
	// A version that a publication brought has its prices from the next period on.
	const billed = billChange(work, { before, saleBefore, after, sale: saleOf(work, after) }, billing);
	return { ...billed, subscription: grantRecurringCredits(work, billed.subscription) };
}

function discardPendingPayments(
	work: Work,
	row: SubscriptionRow,
	{ before, sale, changes, moves, terms }: PreparedChange,
	{ anchor }: Billing,
): SubscriptionRow {
	const changesPhase = !haveSamePrices(before.phase, sale.phase);
	const isIncreased = row.uplifts?.all.length !== terms.uplifts?.all.length;
	const changesTerms =
		anchor === "NOW" || moves.length > 0 || changesPhase || isIncreased || partsOf(changes).some(isTerm);
	return changesTerms ? cancelPendingPayments(work, row) : row;
}

/** Returns the sale that is charged until now. At the instant of a renewal that is the sale before the renewal. */
function chargedSale(work: Work, row: SubscriptionRow, { before }: PreparedChange): Sale {
	const isAtRenewal = row.billedUntil !== null && row.billedUntil <= work.now;
	return isAtRenewal ? saleOf(work, row, (work.now - 1) as Instant) : before;
}

function writeChange(
	work: Work,
	row: SubscriptionRow,
	prepared: PreparedChange,
	{ invoiced, anchor, effectiveAt }: Billing,
): SubscriptionRow {
	const { sale, changes, moves, phases, terms, priceOverrides, minimumSpend, commitments } = prepared;
	if (changes.entitlements) replaceEntitlements(work, row.id, entitlementsOf(work, changes.entitlements));
	for (const { from, to } of moves)
		insertVersionChange(work, {
			subscriptionId: row.id,
			packageId: to.packageId,
			fromVersionId: from.id,
			toVersionId: to.id,
			pricesFrom: work.now,
		});
	const coupon = couponChoice(changes);
	assertOneWay(changes.appliedCoupons, coupon);
	// A coupon may have been applied while the payment was pending.
	if (coupon) changeCoupon(work, row, coupon, sale, invoiced !== undefined);
	if (changes.appliedCoupons) changeCoupons(work, row, changes.appliedCoupons, sale);
	assertKnownIntegration(changes.billingInformation?.integrationId);
	// Nothing is charged before the start.
	const changesTerms = row.status !== "NOT_STARTED" && isTermsChange(prepared, anchor);
	const columns = {
		...(changesTerms && { termsChangedAt: effectiveAt ?? work.now }),
		priceOverrides: [...priceOverrides],
		minimumSpend,
		commitments,
		...phases,
		...terms,
		...changedTerms(row, changes, work.now),
		...movedCycle(work, row, changes),
	};
	const after = prepared.keepsItems ? changeSubscription(work, row, columns) : applySale(work, row, sale, columns);
	changeTermsOfSuccessors(work, row, (waiting) => changedTerms(waiting, changes, work.now));
	if (changes.charges) raiseUnitsOfSuccessors(work, after);
	return after;
}

/** Whether a change affects what is charged, so that no later one can be dated before it. */
function isTermsChange({ before, sale, changes, moves }: PreparedChange, anchor: Billing["anchor"]): boolean {
	const { billingAnchor, prorationMode, timeZone } = changes;
	const isOfPeriods = [billingAnchor, prorationMode, timeZone].some((one) => one !== undefined);
	const changesPhase = before.phase?.id !== sale.phase?.id;
	const isDescribed = partsOf(changes).every(({ type }) => type === "ADDITIONAL_META_DATA");
	return anchor === "NOW" || moves.length > 0 || changesPhase || isOfPeriods || !isDescribed;
}

/** Units bought while another plan is scheduled are added to that plan too. */
function raiseUnitsOfSuccessors(work: Work, row: SubscriptionRow): void {
	const held = selectQuantities(work, [row.id]);
	for (const successor of selectSuccessors(work, [row.id]))
		replaceQuantities(
			work,
			successor.id,
			selectQuantities(work, [successor.id]).map((planned) => {
				const now = held.find((one) => one.featureId === planned.featureId && one.currencyId === planned.currencyId);
				return now && exact(now.quantity).gt(exact(planned.quantity))
					? { ...planned, quantity: now.quantity }
					: planned;
			}),
		);
}

export const behaviorOf = ({ billingDetails }: Pick<SubscriptionRow, "billingDetails">): ProrationBehavior =>
	billingDetails?.prorationBehavior ?? "INVOICE_IMMEDIATELY";

/**
 * Applies the scheduled updates that are due, those of one time together, with the phase and the term that begin then. Updates that can no longer be sold fail, and the
 * subscription stays as it is. Updates whose payment is overdue are canceled with their invoice.
 */
export function applyDueUpdates(work: Work, row: SubscriptionRow): void {
	const due = selectDueUpdates(work, row.id);
	voidUnpaidUpdates(
		work,
		row,
		due.filter(({ status }) => status === "PENDING_PAYMENT"),
	);
	const scheduled = due.filter(({ status }) => status === "SCHEDULED");
	if (scheduled.length === 0) {
		beginDueParts(work, row);
		return;
	}
	try {
		work.tx.transaction(() => {
			const done = endUpdates(work, row, scheduled, "DONE");
			applyUpdate(work, done, prepareMergedChange(work, done, scheduled), { behavior: behaviorOf(row) });
		});
	} catch (refusal) {
		if (!(refusal instanceof DomainError)) throw refusal;
		beginDueParts(work, endUpdates(work, row, scheduled, "FAILED", refusal.message));
	}
}

/** Changes the prices at the end of a phase or a term. Updates of the same time have done so already. */
function beginDueParts(work: Work, row: SubscriptionRow): void {
	const ends = [row.phase?.endAt, runningTermOf(row)?.endAt];
	if (!ends.some((endAt) => endAt !== undefined && endAt <= work.now)) return;
	applyUpdate(work, row, prepareNextPart(work, row), { behavior: behaviorOf(row) });
}
