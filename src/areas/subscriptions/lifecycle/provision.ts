import { type Instant, instantOf } from "../../../kernel/clock";
import { dryRun } from "../../../kernel/dry-run";
import { assert, fail } from "../../../kernel/errors";
import { addUnits } from "../../../kernel/period";
import { assertSupported } from "../../../kernel/unsupported";
import type { Work } from "../../../kernel/work";
import { ensureResource, getCustomer, getCustomerById } from "../../customers/operations";
import { assertKnownIntegration, assertNotArchived } from "../../customers/rules";
import { getPublishedVersion } from "../../packages/operations";
import type { PriceChange } from "../../pricing/price-change";
import type { RatedInvoice } from "../../pricing/rate";
import { productsByIds } from "../../products/operations";
import type { ProductRow } from "../../products/table";
import { billFirstPeriod } from "../billing/first-period";
import { grantRecurringCredits } from "../credits/hand-out";
import { usageAnchorAfter } from "../rules";
import type { SubscriptionProvision } from "../schema.provision";
import { changeStatus, insertSubscription, selectByRef, selectOfProduct } from "../store";
import type { PriceOverride, SubscriptionRow } from "../table";
import { buyerOf, countriesIn } from "../terms/buyer";
import { copyCoupons, customerTermsOf } from "../terms/customer-terms";
import { prepareSale, type Sale, soldOf } from "../terms/prepare-sale";
import { priceChangeOf } from "../terms/price-change";
import { applyCoupon, couponOf, entitlementsOf, minimumSpendOf, overrideOf } from "../terms/requested-terms";
import { unsupportedInSale } from "../terms/rules.unsupported";
import { insertAddons, insertEntitlements, insertQuantities, replaceAddons, replaceQuantities } from "../terms/store";
import { type CurrentSubscriptions, currentSubscriptionsFor } from "./current";
import { effectiveDateOf } from "./effective-date";
import { markEnded } from "./end";
import { type Trial, trialFor } from "./rules.trial";

/** Our choice, as payment providers have it: how long a first payment is waited for. */
export const paymentWindowHours = 23;

export interface Provisioned {
	readonly subscription: SubscriptionRow;
	/** What it came to at once; nothing for what starts later, in a trial, or is not charged. */
	readonly rated: readonly RatedInvoice[];
	readonly sale: Sale;
	readonly priceChange: PriceChange;
}

/**
 * Gives a customer a subscription, in the caller's transaction: now, in the past (not charged for before the next
 * period), or later, when it will replace the one that runs. An upgrade takes effect at once, and a downgrade when
 * the product says, unless the call says otherwise. What is agreed with the customer rather than with the plan stays as
 * it was with the one that it replaces, or which it follows (`follows`, ended just now), unless the call names it.
 * Expects that what was due before has been carried out. Codes: CustomerNotFound, PlanNotFound, AddonNotFound,
 * CouponNotFound, PromotionCodeNotFound, IntegrationNotFound, FeatureNotFound, CustomCurrencyNotFound, PriceNotFound;
 * DuplicatedEntityNotAllowed; those of what cannot be carried out, and those of the rules.
 */
export function provision(work: Work, input: SubscriptionProvision, follows?: SubscriptionRow): Provisioned {
	assertSupported(input, unsupportedInSale);
	const customer = getCustomer(work, input.customerId);
	const paying = input.payingCustomerId ? getCustomer(work, input.payingCustomerId) : undefined;
	const priceOverrides = input.priceOverrides?.map(overrideOf) ?? [];
	const current = currentSubscriptionsFor(work, customer.id, input.resourceId ?? null, {
		product: productOf(work, input.planId),
	});
	const previous = current.active ?? current.trial;
	const predecessor = previous ?? follows;
	const terms = customerTermsOf(input, input.payingCustomerId && paying?.id, predecessor);
	const payer = terms.payingCustomerId === null ? customer : getCustomerById(work, terms.payingCustomerId);
	const buyer = buyerOf(payer, ...countriesIn(input), predecessor?.billingCountryCode);
	const sale = prepareSale(work, { ...saleInputOf(input), prices: { buyer }, priceOverrides });
	const entitlements = entitlementsOf(work, input.entitlements ?? []);
	const coupon = input.appliedCoupon && couponOf(work, input.appliedCoupon);
	assertKnownIntegration(input.billingInformation?.integrationId);
	assertNotArchived(customer);
	if (paying) assertNotArchived(paying);
	assertIdFree(work, input.id);

	const minimumSpend = minimumSpendOf(work, input.minimumSpend, sale, payer);
	const priceChange = priceChangeOf(work, current.active, sale, minimumSpend);
	const startAt = effectiveDateOf(work, input, { active: current.active, sale, priceChange });
	const trial = trialOf(work, input, { customerId: customer.id, sale, startAt });
	const resource = input.resourceId ? ensureResource(work, customer.id, input.resourceId) : undefined;
	const subscription = insertSubscription(work, {
		...terms,
		...soldTerms(input, sale, priceOverrides),
		minimumSpend,
		...timingOf(work, { input, startAt, trial, current, priceChange }),
		refId: input.id ?? `sub_${work.newId().replaceAll("-", "")}`,
		customerId: customer.id,
		resourceId: resource?.id ?? null,
		usageAnchorAt: usageAnchorAfter(previous, { startAt, billingPeriod: sale.billingPeriod }, sale.product.usageReset),
	});
	insertParts(work, subscription, sale);
	insertEntitlements(work, subscription.id, entitlements);
	if (coupon && input.appliedCoupon) applyCoupon(work, subscription, coupon, input.appliedCoupon);
	else if (predecessor) copyCoupons(work, predecessor, subscription);
	// What was to come in its place, or waits for a payment, is not wanted any more.
	for (const row of current.waiting) markEnded(work, row, { reason: "UPGRADE_OR_DOWNGRADE" });
	const started =
		startAt > work.now
			? { subscription, rated: [] }
			: startSubscription(work, subscription, sale, { ...startOptionsOf(input), current });
	return { ...started, sale, priceChange };
}

/** How a subscription begins, beyond what its row says. */
export interface StartOptions {
	readonly current: CurrentSubscriptions;
	/** A trial that runs goes on alongside it. */
	readonly keepsTrial?: boolean;
	readonly anchor?: SubscriptionProvision["billingCycleAnchor"];
	readonly isPaid?: boolean | undefined;
	readonly isBackdated?: boolean | undefined;
	readonly awaitsPayment?: boolean | undefined;
}

const startOptionsOf = (input: SubscriptionProvision): Omit<StartOptions, "current"> => ({
	keepsTrial: input.trialOverrideConfiguration?.isTrial === false,
	anchor: input.billingCycleAnchor,
	isPaid: input.billingInformation?.isInvoicePaid,
	isBackdated: input.billingInformation?.isBackdated,
	awaitsPayment: input.awaitPaymentConfirmation,
});

/**
 * What happens when a subscription's time has come: as a trial it replaces a trial only; else it replaces the
 * active one, and a trial of the product is converted, and its first invoice is raised. While that waits for its payment,
 * what it will replace goes on.
 */
export function startSubscription(
	work: Work,
	row: SubscriptionRow,
	sale: Sale,
	{ current, keepsTrial = false, anchor, isPaid, isBackdated, awaitsPayment = false }: StartOptions,
): Pick<Provisioned, "subscription" | "rated"> {
	const isTrial = row.trialEndAt !== null && row.trialEndAt > work.now;
	if (isTrial) {
		if (current.trial) markEnded(work, current.trial, { reason: "UPGRADE_OR_DOWNGRADE" });
		return { subscription: grantRecurringCredits(work, changeStatus(work, row, "IN_TRIAL"), current.trial), rated: [] };
	}
	const bill = (awaits: boolean) =>
		billFirstPeriod(work, row, sale, {
			// Charged from the end of a trial, where there was one.
			from: row.trialEndAt ?? row.startAt,
			replaced: current.active ? [current.active] : [],
			anchor,
			behavior: row.billingDetails?.prorationBehavior ?? "INVOICE_IMMEDIATELY",
			isPaid,
			isBackdated,
			awaitsPayment: awaits,
		});
	// What leaves nothing to be paid has nothing to wait for, and settles what it replaces.
	const isAwaited = awaitsPayment && dryRun(work, () => bill(true)).invoice?.state === "OPEN";
	const { subscription, rated } = bill(isAwaited);
	if (isAwaited) {
		const paymentDueAt = addUnits(work.now, "hours", paymentWindowHours);
		const waiting = { paymentDueAt, paymentCollection: "PROCESSING" } as const;
		return { subscription: changeStatus(work, subscription, "PAYMENT_PENDING", waiting), rated };
	}
	if (current.active) markEnded(work, current.active, { reason: "UPGRADE_OR_DOWNGRADE" });
	if (current.trial && !keepsTrial) markEnded(work, current.trial, { reason: "TRIAL_CONVERTED" });
	const begun = changeStatus(work, subscription, "ACTIVE", { replacesId: current.active?.id ?? null });
	return { subscription: grantRecurringCredits(work, begun, current.active), rated };
}

function timingOf(
	work: Work,
	{
		input,
		startAt,
		trial,
		current,
		priceChange,
	}: {
		readonly input: SubscriptionProvision;
		readonly startAt: Instant;
		readonly trial: Trial | null;
		readonly current: CurrentSubscriptions;
		readonly priceChange: PriceChange;
	},
) {
	const cancelAt = input.cancellationDate === undefined ? null : instantOf(input.cancellationDate);
	if (cancelAt !== null && (cancelAt <= work.now || cancelAt <= startAt))
		throw fail("InvalidCancellationDate", "'cancellationDate' must lie in the future, and after the start.");
	const isLater = startAt > work.now;
	const supersedes = isLater ? current.active : undefined;
	return {
		startAt,
		cancelAt,
		endAt: null,
		trialEndAt: trial?.endAt ?? null,
		trialEndBehavior: trial?.behavior ?? null,
		trialBudget: trial?.budget ?? null,
		billingAnchorAt: null,
		billedUntil: null,
		supersedesId: supersedes?.id ?? null,
		supersedesAs: supersedes ? (priceChange === "downgrade" ? ("DOWNGRADE" as const) : ("PLAN" as const)) : null,
	};
}

function trialOf(
	work: Work,
	{ trialOverrideConfiguration: asked }: SubscriptionProvision,
	{ customerId, sale, startAt }: { customerId: string; sale: Sale; startAt: Instant },
) {
	const { plan, product } = sale;
	assert(plan.pricingType, "a published plan has a pricing type");
	return trialFor({
		startAt,
		pricingType: plan.pricingType,
		offered: plan.defaultTrial,
		asked: asked && {
			isTrial: asked.isTrial,
			endAt: asked.trialEndDate === undefined ? undefined : instantOf(asked.trialEndDate),
			behavior: asked.trialEndBehavior,
		},
		history: selectOfProduct(work, customerId, product.id),
	});
}

/** What a sale puts into a new subscription. */
export function insertParts(work: Work, { id }: SubscriptionRow, sale: Sale): void {
	insertAddons(work, id, addonsOf(sale));
	insertQuantities(work, id, sale.purchased);
}

/** What a sale puts instead of what was there. */
export function replaceParts(work: Work, { id }: SubscriptionRow, sale: Sale): void {
	replaceAddons(work, id, addonsOf(sale));
	replaceQuantities(work, id, sale.purchased);
}

const addonsOf = ({ addons }: Sale) =>
	addons.map(({ version, quantity }) => ({ addonId: version.packageId, versionId: version.id, quantity }));

const saleInputOf = (input: SubscriptionProvision) => ({
	planId: input.planId,
	addons: input.addons ?? [],
	charges: input.charges ?? [],
	unitQuantity: input.unitQuantity,
	billingPeriod: input.billingPeriod,
});

function soldTerms(input: SubscriptionProvision, sale: Sale, priceOverrides: PriceOverride[]) {
	return {
		...soldOf(sale),
		billingId: input.billingId ?? null,
		// Payment is recorded by hand until a payment integration is connected (docs/interface/invoices.md).
		paymentCollection: "NOT_REQUIRED" as const,
		priceOverrides,
	};
}

/** PlanNotFound, UnPublishedPackage. */
function productOf(work: Work, planId: string): ProductRow {
	const { productId } = getPublishedVersion(work, "PLAN", planId);
	const product = productsByIds(work, [productId]).get(productId);
	assert(product, "a plan has a product");
	return product;
}

function assertIdFree(work: Work, id: string | undefined): void {
	if (id !== undefined && selectByRef(work, id))
		throw fail("DuplicatedEntityNotAllowed", `There is a subscription '${id}' already; choose another id.`);
}
