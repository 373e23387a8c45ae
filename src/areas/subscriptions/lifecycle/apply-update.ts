import type { Instant } from "../../../kernel/clock";
import { exact } from "../../../kernel/decimal";
import { assert, DomainError, fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import type { CouponRow } from "../../coupons/table";
import { assertKnownIntegration } from "../../customers/rules";
import { type Billed, type Billing, billChange } from "../billing/change";
import { payerOf } from "../billing/payer";
import { grantRecurringCredits } from "../credits/hand-out";
import type { ProrationBehavior } from "../schema.provision";
import type { SubscriptionUpdate } from "../schema.update";
import { changeSubscription, selectSuccessors } from "../store";
import { endUpdates, selectDueUpdates } from "../store.updates";
import type { SubscriptionRow } from "../table";
import {
	changeCouponsOfSuccessors,
	changedTerms,
	changeTermsOfSuccessors,
	successorsSharingCoupons,
} from "../terms/customer-terms";
import { type PreparedChange, prepareMergedChange } from "../terms/prepare-change";
import { applyCoupon, type CouponChoice, couponOf, entitlementsOf, minimumSpendOf } from "../terms/requested-terms";
import { isTerm, partsOf } from "../terms/rules.update";
import { removeCoupons, replaceEntitlements, replaceQuantities, selectCoupons, selectQuantities } from "../terms/store";
import { insertVersionChange } from "../terms/store.version-changes";
import { saleOf } from "../terms/subscription-sale";
import { voidUnpaidUpdates, withoutAwaited } from "./end";
import { replaceParts } from "./provision";

/** Carries a change out: writes down what is held from now on, and bills it. What waited for a payment waited for other terms. */
export function applyUpdate(work: Work, row: SubscriptionRow, prepared: PreparedChange, billing: Billing): Billed {
	const before = changesTerms(prepared, billing) ? withoutAwaited(work, row) : row;
	// At the very instant of a renewal: before it, at the prices until then, and after it, at those from then on.
	const isBeforeRenewal = before.billedUntil !== null && before.billedUntil <= work.now;
	const saleBefore = saleOf(work, before, isBeforeRenewal ? ((work.now - 1) as Instant) : work.now);
	saveItems(work, before, prepared, billing);
	const after = writeTerms(work, before, prepared);
	changeTermsOfSuccessors(work, before, (waiting) => changedTerms(waiting, prepared.changes));
	if (prepared.changes.charges) raiseUnitsOfSuccessors(work, after);
	// As it is charged: a version that a publication brought has its prices from the next period on.
	const billed = billChange(work, { before, saleBefore, after, sale: saleOf(work, after) }, billing);
	return { ...billed, subscription: grantRecurringCredits(work, billed.subscription) };
}

const changesTerms = ({ changes, moves }: PreparedChange, { anchor }: Billing): boolean =>
	anchor === "NOW" || moves.length > 0 || partsOf(changes).some(isTerm);

function saveItems(
	work: Work,
	row: SubscriptionRow,
	{ sale, changes, moves }: PreparedChange,
	{ invoiced }: Billing,
): void {
	replaceParts(work, row, sale);
	if (changes.entitlements) replaceEntitlements(work, row.id, entitlementsOf(work, changes.entitlements));
	for (const { from, to } of moves)
		insertVersionChange(work, {
			subscriptionId: row.id,
			packageId: to.packageId,
			fromVersionId: from.id,
			toVersionId: to.id,
			pricesFrom: work.now,
		});
	const choice = couponChoice(changes);
	// Somebody may have applied it while the payment was waited for.
	if (choice && !(invoiced && isHeld(work, row, choice))) changeCoupon(work, row, choice);
}

const isHeld = (work: Work, { id }: SubscriptionRow, choice: CouponChoice): boolean =>
	!takesOff(choice) && holds(work, id, couponOf(work, choice));

/** Three ways lead to a coupon (docs/interface/subscriptions.md). */
export function couponChoice(changes: SubscriptionUpdate): CouponChoice | undefined {
	const { appliedCoupon, promotionCode, billingInformation } = changes;
	if (appliedCoupon) return appliedCoupon;
	if (promotionCode !== undefined) return { promotionCode };
	return billingInformation?.couponId === undefined ? undefined : { couponId: billingInformation.couponId };
}

/** One discount acts at a time: what is applied replaces what was; a null code takes it off. */
function changeCoupon(work: Work, row: SubscriptionRow, choice: CouponChoice): void {
	const coupon = takesOff(choice) ? undefined : couponOf(work, choice);
	if (coupon) assertNotHeld(work, row, coupon);
	const sharing = successorsSharingCoupons(work, row);
	removeCoupons(work, row.id);
	if (coupon) applyCoupon(work, { ...row, startAt: work.now }, coupon, choice);
	changeCouponsOfSuccessors(work, row, sharing);
}

function assertNotHeld(work: Work, { id, refId }: SubscriptionRow, coupon: CouponRow): void {
	if (holds(work, id, coupon))
		throw fail(
			"CustomerAlreadyUsesCouponError",
			`The subscription '${refId}' has the coupon '${coupon.refId}' already; take it off first to begin it anew.`,
		);
}

const holds = (work: Work, subscriptionId: string, coupon: CouponRow): boolean =>
	selectCoupons(work, [subscriptionId]).some(
		({ couponId, status, endAt }) =>
			couponId === coupon.id && status === "ACTIVE" && (endAt === null || endAt > work.now),
	);

const takesOff = ({ promotionCode, couponId, billingCouponId, discount }: CouponChoice): boolean =>
	promotionCode === null && (couponId ?? billingCouponId ?? discount) === undefined;

function writeTerms(
	work: Work,
	row: SubscriptionRow,
	{ sale, changes, priceOverrides }: PreparedChange,
): SubscriptionRow {
	const { minimumSpend } = changes;
	assertKnownIntegration(changes.billingInformation?.integrationId);
	assert(sale.plan.pricingType, "a published plan has a pricing type");
	return changeSubscription(work, row, {
		versionId: sale.plan.id,
		pricingType: sale.plan.pricingType,
		billingPeriod: sale.billingPeriod,
		priceOverrides: [...priceOverrides],
		...changedTerms(row, changes),
		...(minimumSpend !== undefined && {
			minimumSpend: minimumSpendOf(work, minimumSpend, sale, payerOf(work, row).paying),
		}),
	});
}

/** Units bought while another plan is scheduled are there in that plan too. */
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
 * Carries out the updates whose time has come, all of one time together. Where they cannot be sold any more they fail, and
 * the subscription goes on as it is. Those whose payment has not come in time are dropped with their invoice.
 */
export function applyDueUpdates(work: Work, row: SubscriptionRow): void {
	const due = selectDueUpdates(work, row.id);
	voidUnpaidUpdates(
		work,
		row,
		due.filter(({ status }) => status === "PENDING_PAYMENT"),
	);
	const scheduled = due.filter(({ status }) => status === "SCHEDULED");
	if (scheduled.length === 0) return;
	try {
		work.tx.transaction(() => {
			const done = endUpdates(work, row, scheduled, "DONE");
			applyUpdate(work, done, prepareMergedChange(work, done, scheduled), { behavior: behaviorOf(row) });
		});
	} catch (refusal) {
		if (!(refusal instanceof DomainError)) throw refusal;
		endUpdates(work, row, scheduled, "FAILED", refusal.message);
	}
}
