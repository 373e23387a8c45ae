import { type Instant, instantOf } from "../../../kernel/clock";
import { assert, fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { assertChargeable } from "../../collection/methods/operations";
import { ensureResource, getCustomer, getCustomerById } from "../../customers/operations";
import { defaultPayerId } from "../../customers/parents/rules";
import { assertKnownIntegration, assertNotArchived } from "../../customers/rules";
import type { CustomerRow } from "../../customers/table";
import { assertCountable } from "../../packages/operations.agreed-prices";
import { storedCommitments } from "../../pricing/commitments/rules.spend-commitment";
import type { PriceChange } from "../../pricing/price-change";
import { requestedPeriod } from "../../pricing/requested-period";
import { storedTerm } from "../../pricing/rules.terms";
import { issuerFor } from "../billing/issue";
import type { Parties } from "../billing/payer";
import { usageAnchorAfter } from "../rules";
import { isBilledHere } from "../rules.due";
import type { SubscriptionProvision } from "../schema.provision";
import { selectByRef } from "../store";
import { insertDatedChange } from "../store.dated-changes";
import { selectOfProduct } from "../store.of-customers";
import type { SubscriptionRow } from "../table";
import { insertSale, ownPricesOf } from "../terms/apply-sale";
import { buyerOf, countriesIn } from "../terms/buyer";
import { assertCommitmentsFit } from "../terms/commitments";
import { applyCoupon, applyCoupons, assertOneWay, copyCoupons, couponOf } from "../terms/coupons";
import { type CustomerTerms, customerTermsOf } from "../terms/customer-terms";
import { decideSale } from "../terms/decide-sale";
import { soldCurrency } from "../terms/held-currency";
import { loadSaleContext, type SaleContext } from "../terms/load-sale-context";
import { assertPoolable } from "../terms/poolable";
import { priceChangeOf } from "../terms/price-change";
import { entitlementsOf, minimumSpendOf, overrideOf } from "../terms/requested-terms";
import { includesChildUsage } from "../terms/rules.child-usage";
import { assertAnchorTerms, assertChargesPeriods } from "../terms/rules.time-terms";
import type { Sale } from "../terms/sale";
import { insertEntitlements } from "../terms/store";
import { saleAfterPhases } from "../terms/subscription-sale";
import { assertRequestedTaxes } from "../terms/taxes";
import { behaviorOf } from "./apply-update";
import { assertNonePaused, type CurrentSubscriptions, currentSubscriptionsFor } from "./current";
import { assertMayDate } from "./dated";
import { effectiveDateOf } from "./effective-date";
import { markEnded } from "./end";
import { assertDatableFields, effectiveDateIn } from "./rules.dated";
import { trialFor } from "./rules.trial";
import { type Started, type StartOptions, startSubscription } from "./start";

/** `rated` is the amount of the first bill; empty for a later start, a trial, or a subscription that is not charged. */
export interface Provisioned extends Started {
	readonly sale: Sale;
	readonly priceChange: PriceChange;
}

/**
 * Provisions a subscription: it starts now, in the past (not charged before the next period), or later, when it replaces
 * the active one. An upgrade takes effect at once, a downgrade as the product says, unless the call says otherwise. Terms
 * agreed with the customer are copied from the subscription that it replaces or follows, unless the call names them.
 * `follows` has just ended. The caller has run the customer's due steps. Codes: CustomerNotFound of the payer, PlanNotFound,
 * AddonNotFound, CouponNotFound, PromotionCodeNotFound, IntegrationNotFound, FeatureNotFound, CustomCurrencyNotFound,
 * PriceNotFound; DuplicatedEntityNotAllowed; and the codes of the rules.
 */
export function provision(
	work: Work,
	customer: CustomerRow,
	input: SubscriptionProvision,
	follows?: SubscriptionRow,
): Provisioned {
	const priceOverrides = input.priceOverrides?.map(overrideOf) ?? [];
	const context = loadContext(work, customer, input, follows);
	const buyer = buyerOf(context.parties.paying, ...countriesIn(input), context.predecessor?.billingCountryCode);
	const billingPeriod = requestedPeriod(input, "body");
	const { unitQuantity } = input;
	const currency = soldCurrency(work, input.billingCurrency, buyer.currency, context.predecessor);
	const sale = decideSale(context.sale, { billingPeriod, unitQuantity, prices: { buyer, currency }, priceOverrides });
	assertCountable(work, "body/priceOverrides", ownPricesOf(sale));
	const entitlements = entitlementsOf(work, input.entitlements ?? []);
	assertOneWay(input.appliedCoupons, input.appliedCoupon);
	const coupon = input.appliedCoupon && couponOf(work, input.appliedCoupon);
	assertMayProvision(work, input, context);
	const { paymentCollectionMethod } = context.terms;
	if (input.paymentCollectionMethod === "CHARGE") {
		const issuer = issuerFor(work, { planId: sale.plan.packageId }, context.parties.paying);
		assertChargeable(work, context.parties.paying, issuer, "body/paymentCollectionMethod");
	}
	assertChargesPeriods(input, { pricingType: sale.plan.pricingType ?? "FREE", paymentCollectionMethod });
	assertAnchorTerms(input, sale.billingPeriod);
	if (includesChildUsage(context.terms)) assertPoolable(work, sale, "body/includesChildUsage");
	const decided = decideTerms(work, input, context, sale);
	const effectiveAt = earlierDateIn(work, input, context, { ...decided, sale });
	const commitments = input.commitments ? storedCommitments(input.commitments, "body/commitments") : null;
	assertCommitmentsFit(sale, { commitments, minimumSpend: decided.terms.minimumSpend });

	const { parties, predecessor, current } = context;
	const resource = input.resourceId ? ensureResource(work, customer.id, input.resourceId) : undefined;
	const subscription = insertSale(work, sale, {
		...context.terms,
		...decided.terms,
		priceOverrides,
		phases: sale.ownPhases,
		term: input.term ? storedTerm(input.term, "body.term") : null,
		commitments,
		refId: input.id ?? `sub_${work.newId().replaceAll("-", "")}`,
		customerId: customer.id,
		resourceId: resource?.id ?? null,
	});
	insertEntitlements(work, subscription.id, entitlements);
	if (input.appliedCoupons) applyCoupons(work, subscription, input.appliedCoupons, sale);
	else if (coupon && input.appliedCoupon) applyCoupon(work, subscription, coupon, input.appliedCoupon, sale);
	else if (predecessor) copyCoupons(work, predecessor, subscription);
	// The new subscription replaces those that were scheduled, or that wait for a payment.
	for (const row of current.waiting) markEnded(work, row, { reason: "UPGRADE_OR_DOWNGRADE" });
	const { priceChange } = decided;
	if (subscription.startAt > work.now) return { subscription, rated: [], sale, priceChange };
	const started = startSubscription(work, subscription, sale, {
		...{ ...startOptionsOf(input), current, parties, effectiveAt },
	});
	if (effectiveAt !== undefined) insertDatedChange(work, started.subscription, effectiveAt);
	return { ...started, sale, priceChange };
}

/** The rows that a provision is decided from, each loaded once. */
interface ProvisionContext {
	readonly parties: Parties;
	/** The payer that the call names. */
	readonly namedPayer: CustomerRow | undefined;
	readonly sale: SaleContext;
	readonly current: CurrentSubscriptions;
	/** The subscription that it replaces or follows. */
	readonly predecessor: SubscriptionRow | undefined;
	/** The terms agreed with the customer. */
	readonly terms: CustomerTerms;
	/** The customer's subscriptions to the product, running or not. */
	readonly history: readonly SubscriptionRow[];
}

function loadContext(
	work: Work,
	customer: CustomerRow,
	input: SubscriptionProvision,
	follows: SubscriptionRow | undefined,
): ProvisionContext {
	const namedPayer = input.payingCustomerId ? getCustomer(work, input.payingCustomerId) : undefined;
	const { planId, addons = [], charges = [], resourceId = null } = input;
	const phases = input.phases ? { asked: input.phases, where: "body.phases" } : { stored: null };
	const sale = loadSaleContext(work, { planId, addons, charges, phases });
	const current = currentSubscriptionsFor(work, customer.id, resourceId, sale);
	const predecessor = current.active ?? current.trial ?? follows;
	const terms = customerTermsOf(input, input.payingCustomerId && namedPayer?.id, predecessor);
	const payerId = terms.payingCustomerId ?? defaultPayerId(customer);
	const paying = [namedPayer, customer].find((one) => one?.id === payerId) ?? getCustomerById(work, payerId);
	const history = selectOfProduct(work, customer.id, sale.product.id);
	return { parties: { customer, paying }, namedPayer, sale, current, predecessor, terms, history };
}

/** Throws InvalidSubscriptionStatus, EntityIsArchivedError, IntegrationNotFound, DuplicatedEntityNotAllowed. */
function assertMayProvision(
	work: Work,
	input: SubscriptionProvision,
	{ parties, namedPayer, predecessor, current }: ProvisionContext,
): void {
	const { id, billingInformation } = input;
	assertNonePaused(current);
	assertKnownIntegration(billingInformation?.integrationId);
	assertRequestedTaxes(work, input, predecessor?.taxes);
	assertNotArchived(parties.customer);
	if (namedPayer) assertNotArchived(namedPayer);
	if (id !== undefined && selectByRef(work, id))
		throw fail("DuplicatedEntityNotAllowed", `There is a subscription '${id}' already; choose another id.`);
}

/** Decides when the subscription starts, whether as a trial, and how its price compares to the active one. */
function decideTerms(work: Work, input: SubscriptionProvision, context: ProvisionContext, sale: Sale) {
	const { active, trial: activeTrial } = context.current;
	const minimumSpend = minimumSpendOf(work, input.minimumSpend, sale, context.parties.paying);
	const priceChange = priceChangeOf(active && { row: active, sale: saleAfterPhases(work, active) }, {
		sale,
		minimumSpend,
	});
	const date = effectiveDateIn(input);
	const startAt =
		date === undefined
			? effectiveDateOf(work, input, { active, sale, priceChange })
			: (Math.max(date, work.now) as Instant);
	const trial = trialOf(input, context, startAt);
	const cancelAt = input.cancellationDate === undefined ? null : instantOf(input.cancellationDate);
	if (cancelAt !== null && (cancelAt <= work.now || cancelAt <= startAt))
		throw fail("InvalidCancellationDate", "'cancellationDate' must lie in the future, and after the start.");
	const superseded = startAt > work.now ? active : undefined;
	const supersedesAs: SubscriptionRow["supersedesAs"] = priceChange === "downgrade" ? "DOWNGRADE" : "PLAN";
	return {
		priceChange,
		terms: {
			billingId: input.billingId ?? null,
			minimumSpend,
			// Payments are recorded by hand until a payment integration is connected (docs/interface/invoices.md).
			paymentCollection: "NOT_REQUIRED" as const,
			startAt,
			cancelAt,
			endAt: null,
			trialEndAt: trial?.endAt ?? null,
			trialEndBehavior: trial?.behavior ?? null,
			trialBudget: trial?.budget ?? null,
			trialBillsUsage: trial?.billsUsage ?? false,
			billingAnchorAt: null,
			billedUntil: null,
			supersedesId: superseded?.id ?? null,
			supersedesAs: superseded ? supersedesAs : null,
			usageAnchorAt: usageAnchorAfter(
				active ?? activeTrial,
				{ startAt, billingPeriod: sale.billingPeriod },
				sale.product.usageReset,
			),
		},
	};
}

/** Returns the date in the past from which a change of plan is charged; undefined for other dates. */
function earlierDateIn(
	work: Work,
	input: SubscriptionProvision,
	{ current: { active, trial }, terms: { paymentCollectionMethod } }: ProvisionContext,
	{ terms: { trialEndAt }, sale: { plan } }: Pick<ReturnType<typeof decideTerms>, "terms"> & { readonly sale: Sale },
): Instant | undefined {
	const date = effectiveDateIn(input);
	if (date === undefined || date >= work.now) return undefined;
	if (!active)
		throw fail(
			"BadUserInput",
			"body/effectiveDate: the customer has no active subscription to this product whose plan could have changed; for a start in the past send 'startDate', with 'billingInformation.isBackdated' if Tollgate is to charge it.",
		);
	assertDatableFields(input);
	if (!isBilledHere({ pricingType: plan.pricingType ?? "FREE", paymentCollectionMethod }))
		throw fail(
			"UnsupportedParameter",
			`body/effectiveDate: Tollgate does not bill the plan '${plan.refId}'; cancel the subscription '${active.refId}' with 'isBackdated', then send this call without 'effectiveDate'.`,
		);
	if (plan.phases && plan.phases.length > 0)
		throw fail(
			"UnsupportedParameter",
			`body/effectiveDate: the plan '${plan.refId}' begins with phases, which cannot begin in the past; leave 'effectiveDate' out.`,
		);
	if (trialEndAt !== null || trial)
		throw fail("BadUserInput", "body/effectiveDate: a trial is not charged; leave 'effectiveDate' out.");
	const behavior = input.billingInformation?.prorationBehavior ?? behaviorOf(active);
	assertMayDate(work, active, date, { place: "effectiveDate", behavior });
	return date;
}

function trialOf(
	{ trialOverrideConfiguration: requested }: SubscriptionProvision,
	{ sale: { plan }, history }: ProvisionContext,
	startAt: Instant,
) {
	assert(plan.pricingType, "a published plan has a pricing type");
	return trialFor({
		startAt,
		pricingType: plan.pricingType,
		offered: plan.defaultTrial,
		requested: requested && {
			isTrial: requested.isTrial,
			endAt: requested.trialEndDate === undefined ? undefined : instantOf(requested.trialEndDate),
			behavior: requested.trialEndBehavior,
		},
		history,
	});
}

const startOptionsOf = (input: SubscriptionProvision): Omit<StartOptions, "current"> => ({
	keepsTrial: input.trialOverrideConfiguration?.isTrial === false,
	anchor: input.billingCycleAnchor,
	isPaid: input.billingInformation?.isInvoicePaid,
	isBackdated: input.billingInformation?.isBackdated,
	awaitsPayment: input.awaitPaymentConfirmation,
});
