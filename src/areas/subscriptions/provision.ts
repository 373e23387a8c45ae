import { type Instant, parseInstant } from "../../kernel/clock";
import { toDecimal } from "../../kernel/decimal";
import { assert, fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { createAdHocCoupon, getCoupon } from "../coupons/operations";
import { assertApplicable } from "../coupons/rules";
import type { CouponRow } from "../coupons/table";
import { currenciesByRefs } from "../currencies/operations";
import { ensureResource, findResource, getCustomer } from "../customers/operations";
import { assertNotArchived } from "../customers/rules";
import { featuresByRefs } from "../features/operations";
import { resetOf } from "../packages/rules";
import { parseFormula } from "../pricing/formula-parser";
import { billCreation, couponEnd } from "./billing";
import { assertOneCoupon, assertStartsNow, billingPeriodContaining, isCharged, usageAnchorAfter } from "./rules";
import { prepareSale, type Sale } from "./sale";
import type { AppliedCoupon, EntitlementInput, PriceOverrideInput, SubscriptionProvision } from "./schema.provision";
import { changeSubscription, insertSubscription, selectByRef, selectRunning } from "./store";
import { insertCoupon, insertEntitlements, type NewEntitlement, replaceAddons, replaceQuantities } from "./store.parts";
import type { PriceOverride, SubscriptionRow } from "./table";

/**
 * Gives a customer a subscription, in the caller's transaction: ends the one it takes the place of, and raises the first
 * invoice of a paid plan. A start in the past is not charged for; the first invoice is then the next period's.
 * Codes: CustomerNotFound, PlanNotFound, AddonNotFound, CouponNotFound, PromotionCodeNotFound, IntegrationNotFound,
 * FeatureNotFound, CustomCurrencyNotFound, PriceNotFound; DuplicatedEntityNotAllowed; and those of the rules.
 */
export function provisionSubscription(work: Work, input: SubscriptionProvision): SubscriptionRow {
	const customer = getCustomer(work, input.customerId);
	const paying = input.payingCustomerId ? getCustomer(work, input.payingCustomerId) : undefined;
	const priceOverrides = input.priceOverrides?.map(overrideOf) ?? [];
	const sale = prepareSale(work, { ...saleInputOf(input), priceOverrides });
	const entitlements = entitlementsOf(work, input.entitlements ?? []);
	const coupon = input.appliedCoupon && couponOf(work, input.appliedCoupon);
	assertKnownIntegration(input.billingInformation?.integrationId);
	assertNotArchived(customer);
	if (paying) assertNotArchived(paying);
	assertIdFree(work, input.id);

	const startAt = instantOf(input.startDate) ?? work.now;
	const cancelAt = instantOf(input.cancellationDate) ?? null;
	const running = runningBeside(work, customer.id, input.resourceId ?? null, sale);
	assertStartsNow(input, { startAt, cancelAt, now: work.now, replacesRunning: running.length > 0 });
	for (const row of running) endSubscription(work, row, "UPGRADE_OR_DOWNGRADE");

	const resource = input.resourceId ? ensureResource(work, customer.id, input.resourceId) : undefined;
	const subscription = insertSubscription(work, {
		...termsOf(input, sale, priceOverrides),
		refId: input.id ?? `sub_${work.newId().replaceAll("-", "")}`,
		customerId: customer.id,
		payingCustomerId: paying?.id ?? null,
		resourceId: resource?.id ?? null,
		...spanOf(work, sale, startAt, running.at(-1)),
	});
	saveParts(work, subscription, sale, entitlements);
	if (coupon) applyCoupon(work, subscription, coupon, input.appliedCoupon);
	// With the collection method NONE a paid plan is priced like a custom one, and billed by its contract (semantics-extra 8).
	const isBilledHere = isCharged(subscription.pricingType) && subscription.paymentCollectionMethod !== "NONE";
	if (isBilledHere && startAt === work.now && sale.billingPeriod !== null) {
		const period = billingPeriodContaining(startAt, sale.billingPeriod, work.now);
		billCreation(work, subscription, sale, period, input.billingInformation?.isInvoicePaid ?? false);
	}
	return subscription;
}

/** Ends a subscription now; what it was stays readable. */
export const endSubscription = (
	work: Work,
	subscription: SubscriptionRow,
	cancelReason: NonNullable<SubscriptionRow["cancelReason"]>,
): SubscriptionRow =>
	changeSubscription(work, subscription, {
		status: "CANCELED",
		cancelReason,
		cancelAt: work.now,
		endedAt: work.now,
	});

/** Our choice: the interface names the refusal but no number. It bounds what an entitlement read has to look at. */
export const runningPerCustomerMax = 1000;

/**
 * What a new subscription takes the place of: the one that runs for the same customer and product, and, where the product
 * allows several, for the same resource. One whose agreed end has come is written down as expired on the way.
 */
export function runningBeside(
	work: Work,
	customerId: string,
	resourceRef: string | null,
	{ product }: Sale,
): SubscriptionRow[] {
	const resourceId = resourceRef === null ? null : (findResource(work, customerId, resourceRef)?.id ?? "");
	const running = selectRunning(work, [customerId]);
	if (running.length >= runningPerCustomerMax)
		throw fail(
			"TooManySubscriptionsPerCustomer",
			`A customer may have ${runningPerCustomerMax} running subscriptions, and this one has them; cancel one first.`,
		);
	return running
		.filter((row) => row.productId === product.id)
		.filter((row) => !product.multipleSubscriptions || row.resourceId === resourceId)
		.filter((row) => !settleEnd(work, row));
}

/** Writes down an agreed end that has come; tells whether it had. */
export function settleEnd(work: Work, row: SubscriptionRow): boolean {
	if (row.endAt === null || row.endAt > work.now) return false;
	changeSubscription(work, row, { status: "EXPIRED", cancelReason: "EXPIRED", endedAt: row.endAt });
	return true;
}

/** What a sale and its time make of a row: shared with the import. */
export function spanOf(work: Work, { product, billingPeriod }: Sale, startAt: Instant, previous?: SubscriptionRow) {
	return {
		startAt,
		billingAnchorAt: billingPeriod === null ? null : startAt,
		// The period that runs is settled: by the first invoice, or, with a start in the past, elsewhere.
		billedUntil: billingPeriod === null ? null : billingPeriodContaining(startAt, billingPeriod, work.now).end,
		usageAnchorAt: usageAnchorAfter(previous, { startAt, billingPeriod }, product.usageReset),
	};
}

export function saveParts(
	work: Work,
	{ id }: SubscriptionRow,
	{ addons, bought }: Sale,
	entitlements: readonly NewEntitlement[],
): void {
	replaceAddons(
		work,
		id,
		addons.map(({ version, quantity }) => ({ addonId: version.packageId, versionId: version.id, quantity })),
	);
	replaceQuantities(work, id, bought);
	insertEntitlements(work, id, entitlements);
}

const saleInputOf = (input: SubscriptionProvision) => ({
	planId: input.planId,
	addons: input.addons ?? [],
	charges: input.charges ?? [],
	unitQuantity: input.unitQuantity,
	billingPeriod: input.billingPeriod,
	billingCountryCode: input.billingCountryCode ?? null,
});

function termsOf(
	input: SubscriptionProvision,
	{ plan, product, billingPeriod, prices }: Sale,
	priceOverrides: PriceOverride[],
) {
	const {
		integrationId: _,
		invoiceDaysUntilDue,
		isInvoicePaid: __,
		taxPercentage,
		...details
	} = input.billingInformation ?? {};
	const { amount, currency } = input.minimumSpend ?? {};
	assert(plan.pricingType, "a published plan has a pricing type");
	return {
		productId: product.id,
		planId: plan.packageId,
		versionId: plan.id,
		status: "ACTIVE" as const,
		cancelReason: null,
		pricingType: plan.pricingType,
		billingPeriod,
		billingId: input.billingId ?? null,
		billingCountryCode: input.billingCountryCode ?? null,
		endAt: null,
		cancelAt: null,
		endedAt: null,
		trialEndAt: null,
		trialEndBehavior: null,
		// Payment is recorded by hand until a payment integration is connected (choices.md, Built-in billing provider).
		paymentCollection: "NOT_REQUIRED" as const,
		paymentCollectionMethod: input.paymentCollectionMethod ?? null,
		minimumSpend:
			amount === undefined
				? null
				: { amount: toDecimal(amount), currency: currency ?? prices[0]?.charge.price?.currency ?? "usd" },
		budget: input.budget ? { ...input.budget, limit: toDecimal(input.budget.limit) } : null,
		taxPercentage: taxPercentage === undefined ? null : toDecimal(taxPercentage),
		invoiceDaysUntilDue: invoiceDaysUntilDue ?? null,
		billingDetails: input.billingInformation ? details : null,
		priceOverrides,
		metadata: input.metadata ?? {},
		salesforceId: input.salesforceId ?? null,
	};
}

function overrideOf(input: PriceOverrideInput): PriceOverride {
	const { amount, blockSize, tiers, creditRate } = input;
	if (creditRate?.costFormula) parseFormula(creditRate.costFormula, "body/priceOverrides: costFormula");
	if (!input.baseCharge && !input.featureId && !input.addonId)
		throw fail(
			"BadUserInput",
			"body/priceOverrides: say what each price is for: 'baseCharge', 'featureId' or 'addonId'.",
		);
	return {
		isBase: input.baseCharge ?? false,
		addonRefId: input.addonId ?? null,
		featureRefId: input.featureId ?? null,
		billingCountryCode: input.billingCountryCode ?? null,
		amount: amount === undefined ? null : toDecimal(amount),
		currency: input.currency ?? null,
		blockSize: blockSize === undefined ? null : toDecimal(blockSize),
		tiers:
			tiers?.map(({ upTo, unitPrice, flatPrice }) => ({
				upTo: upTo === undefined ? null : toDecimal(upTo),
				unitPrice: unitPrice ? { ...unitPrice, amount: toDecimal(unitPrice.amount) } : null,
				flatPrice: flatPrice ? { ...flatPrice, amount: toDecimal(flatPrice.amount) } : null,
			})) ?? null,
		creditRate: creditRate
			? {
					amount: toDecimal(creditRate.amount),
					currencyRefId: creditRate.currencyId,
					costFormula: creditRate.costFormula ?? null,
				}
			: null,
		creditGrantCadence: input.creditGrantCadence ?? null,
	};
}

/** FeatureNotFound, CustomCurrencyNotFound; BadUserInput for what is listed twice. */
function entitlementsOf(work: Work, inputs: readonly EntitlementInput[]): NewEntitlement[] {
	const refsOf = (type: EntitlementInput["type"]) => inputs.filter((input) => input.type === type).map(({ id }) => id);
	const features = featuresByRefs(work, refsOf("FEATURE"));
	const currencies = currenciesByRefs(work, refsOf("CREDIT"));
	const seen = new Set<string>();
	return inputs.map((input, at) => {
		const where = `body/entitlements/${at}`;
		if (seen.has(`${input.type} ${input.id}`)) throw fail("BadUserInput", `${where}: '${input.id}' is listed twice.`);
		seen.add(`${input.type} ${input.id}`);
		const none = {
			usageLimit: null,
			hasUnlimitedUsage: null,
			hasSoftLimit: null,
			resetPeriod: null,
			resetAnchor: null,
		};
		if (input.type === "CREDIT")
			return {
				...none,
				featureId: null,
				currencyId: currencies.get(input.id)?.id ?? null,
				amount: toDecimal(input.amount),
				cadence: input.cadence,
			};
		return {
			featureId: features.get(input.id)?.id ?? null,
			currencyId: null,
			amount: null,
			cadence: null,
			usageLimit: input.usageLimit === undefined ? null : toDecimal(input.usageLimit),
			hasUnlimitedUsage: input.hasUnlimitedUsage ?? null,
			hasSoftLimit: input.hasSoftLimit ?? null,
			...resetOf(where, input),
		};
	});
}

/** CouponNotFound, PromotionCodeNotFound, ArchivedCouponCantBeApplied. */
function couponOf(work: Work, applied: AppliedCoupon): CouponRow {
	assertOneCoupon(applied);
	if (applied.promotionCode !== undefined)
		throw fail("PromotionCodeNotFound", `There is no promotion code '${applied.promotionCode}' in this environment.`);
	if (applied.billingCouponId !== undefined)
		throw fail(
			"CouponNotFound",
			`No billing provider is connected that knows '${applied.billingCouponId}'; use 'couponId'.`,
		);
	if (applied.discount) return createAdHocCoupon(work, applied.discount);
	const coupon = getCoupon(work, applied.couponId ?? "");
	assertApplicable(coupon);
	return coupon;
}

function applyCoupon(work: Work, { id, startAt }: SubscriptionRow, coupon: CouponRow, applied?: AppliedCoupon): void {
	const from = instantOf(applied?.configuration?.startDate) ?? startAt;
	insertCoupon(work, id, { couponId: coupon.id, startAt: from, endAt: couponEnd(coupon, from) });
}

function assertIdFree(work: Work, id: string | undefined): void {
	if (id !== undefined && selectByRef(work, id))
		throw fail("DuplicatedEntityNotAllowed", `There is a subscription '${id}' already; choose another id.`);
}

/** None can be connected yet, so none is known (choices.md, Built-in billing provider). */
export function assertKnownIntegration(integrationId: string | null | undefined): void {
	if (integrationId)
		throw fail("IntegrationNotFound", `There is no integration '${integrationId}' in this environment; leave it out.`);
}

/** The schema has checked the text. */
function instantOf(text: string | undefined): Instant | undefined {
	if (text === undefined) return undefined;
	const at = parseInstant(text);
	assert(at !== undefined, "the schema has checked the instant");
	return at;
}
