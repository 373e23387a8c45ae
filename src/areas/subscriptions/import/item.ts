import { type Instant, instantOf } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { ensureResource, getCustomer, resourcesByIds } from "../../customers/operations";
import { assertNotArchived } from "../../customers/rules";
import type { CustomerRow } from "../../customers/table";
import { assertCountable } from "../../packages/operations.agreed-prices";
import { billingPeriodNames } from "../../packages/schema";
import type { CurrencyTerms } from "../../pricing/choice/currency";
import { storedCommitments } from "../../pricing/commitments/rules.spend-commitment";
import { requestedPeriod } from "../../pricing/requested-period";
import type { BillingPeriod } from "../../pricing/rules.billing-period";
import { storedThresholds } from "../../pricing/rules.spend-thresholds";
import { startCommitments } from "../billing/commitments/running";
import { movedCycle } from "../billing/cycle";
import { noBillingCycle } from "../billing/first-cycle";
import { importedBillingCycle, recordImported } from "../billing/imported-period";
import { excludeEarlierOverage } from "../billing/usage";
import { grantRecurringCredits, moveCredits } from "../credits/grant-recurring";
import { assertNonePaused, type CurrentSubscriptions, currentSubscriptionsFor } from "../lifecycle/current";
import { markEnded, settleAndEnd } from "../lifecycle/end";
import { endSubscription } from "../lifecycle/fallback-plan";
import { runDueSteps } from "../lifecycle/operations.due";
import { billingPeriodAt, usageAnchorAfter } from "../rules";
import { assertNotAwaitingPayment, hasEnded, isRunning } from "../rules.status";
import type { SubscriptionStatus } from "../schema";
import type { ChargeSelection } from "../schema.provision";
import { changeStatus, changeSubscription, selectByRef } from "../store";
import type { SubscriptionRow } from "../table";
import { applySale, insertSale, ownPricesOf } from "../terms/apply-sale";
import { buyerOf } from "../terms/buyer";
import { assertCommitmentsFit } from "../terms/commitments";
import { applyCoupons, changeCoupons } from "../terms/coupons";
import { decideSale, type SaleRequest } from "../terms/decide-sale";
import { assertSameCurrency, keptCurrency, soldCurrency } from "../terms/held-currency";
import { loadSaleContext } from "../terms/load-sale-context";
import { assertPoolable } from "../terms/poolable";
import { overrideOf } from "../terms/requested-terms";
import { childUsageAfter, includesChildUsage } from "../terms/rules.child-usage";
import { assertAnchorTerms, assertChargesPeriods } from "../terms/rules.time-terms";
import type { Sale } from "../terms/sale";
import { subscribedItems } from "../terms/subscription-sale";
import { assertRequestedTaxes, taxColumns } from "../terms/taxes";
import { newCountFrom, unbilledUsageFrom } from "./billed-usage";
import { type Imported, importedTerm, phaseColumns, placeOf, type Span, termColumns } from "./imported-terms";
import type { SubscriptionImportItem } from "./schema";

/** Loads and decides a sale. The items of one transaction may share the results. */
type Sell = (requested: SaleRequest) => Sale;

/** The catalogue does not change within a transaction, so items with the same request share one sale. */
export function salesOf(work: Work): Sell {
	const sales = new Map<string, Sale>();
	return (input) => {
		const key = JSON.stringify({ ...input, heldVersions: input.heldVersions?.map(({ id }) => id) });
		const sale = sales.get(key) ?? decideSale(loadSaleContext(work, input), input);
		sales.set(key, sale);
		return sale;
	};
}

/**
 * Creates the item's subscription, or changes the existing one to it; omitted keys keep their values. Due steps run
 * first. An import issues no invoice: the running period counts as charged by another system, and billing begins with
 * the next one. A trial continues and is charged from its end. Importing an item twice has the same result.
 * Throws InvalidSubscriptionStatus for a subscription that waits for its first payment, and for a start moved from the past
 * into the future; SubscriptionAlreadyCanceledOrExpired; and the codes of a sale.
 */
export function importItem(work: Work, item: SubscriptionImportItem, sell: Sell): SubscriptionRow {
	const customer = getCustomer(work, item.customerId);
	assertNotArchived(customer);
	runDueSteps(work, customer.id);
	const existing = selectByRef(work, item.id);
	assertRequestedTaxes(work, item, existing?.taxes);
	if (existing) assertUpdatable(existing, customer, item);
	const held = existing && subscribedItems(work, existing);
	const samePlan = held?.versions.some(({ kind, refId }) => kind === "PLAN" && refId === item.planId) ?? false;
	const sale = sell({
		planId: item.planId,
		addons: item.addons ?? (samePlan ? (held?.addons ?? []) : []),
		charges: item.charges?.map(chargeOf) ?? (samePlan ? (held?.charges ?? []) : []),
		billingPeriod: importedPeriod(item) ?? (samePlan ? (existing?.billingPeriod ?? undefined) : undefined),
		prices:
			existing && samePlan
				? { country: existing.billingCountryCode, currency: importedCurrency(work, item, existing) }
				: {
						buyer: buyerOf(customer, existing?.billingCountryCode),
						currency: soldCurrency(work, item.billingCurrency, buyerOf(customer).currency, existing),
					},
		priceOverrides: overridesOf(item, samePlan ? existing : undefined),
		heldVersions: samePlan ? (held?.versions ?? []) : [],
		phases: item.phases
			? { asked: item.phases, where: `${placeOf(item)}: phases` }
			: { stored: item.phases === null ? null : (existing?.phases ?? null) },
	});
	if (item.priceOverrides) assertCountable(work, `${placeOf(item)}: priceOverrides`, ownPricesOf(sale));
	const { paymentCollectionMethod = null } = existing ?? {};
	assertChargesPeriods(item, { pricingType: sale.plan.pricingType ?? "FREE", paymentCollectionMethod }, placeOf(item));
	assertAnchorTerms(item, sale.billingPeriod, placeOf(item));
	if (item.includesChildUsage ?? (existing !== undefined && includesChildUsage(existing)))
		assertPoolable(work, sale, `${placeOf(item)}/includesChildUsage`);
	const commitments = item.commitments ? storedCommitments(item.commitments, `${placeOf(item)}/commitments`) : null;
	const { minimumSpend = null } = existing ?? {};
	assertCommitmentsFit(
		sale,
		{ commitments: commitments ?? existing?.commitments ?? null, minimumSpend },
		placeOf(item),
	);
	const span = importedSpan(work, item, existing);
	const status = importedStatus(work, existing, sale, span);
	const current = isRunning(status)
		? currentSubscriptionsFor(work, customer.id, resourceRefOf(work, item, existing), sale)
		: undefined;
	if (current) assertNonePaused(current);
	const replaced = current && endCurrent(work, current, existing, status);
	const imported = existing
		? updateImported(work, existing, item, { sale, span, status })
		: insertImported(work, customer, item, { sale, span, status });
	const subscription = replaced ? changeSubscription(work, imported, { replacesId: replaced.id }) : imported;
	if (existing && item.appliedCoupons) changeCoupons(work, subscription, item.appliedCoupons, sale, placeOf(item));
	if (existing && existing.resourceId !== subscription.resourceId) moveCredits(work, subscription);
	return grantRecurringCredits(work, subscription, status === "IN_TRIAL" ? current?.trial : current?.active);
}

function importedSpan(work: Work, item: SubscriptionImportItem, existing: SubscriptionRow | undefined): Span {
	const { startDate, endDate } = item;
	const startAt = startDate === undefined ? (existing?.startAt ?? work.now) : instantOf(startDate);
	const endAt = endDate === undefined ? (existing?.endAt ?? null) : endDate === null ? null : instantOf(endDate);
	if (endAt !== null && endAt <= startAt)
		throw fail("BadUserInput", "'endDate' must lie after the start of the subscription.");
	return { startAt, endAt };
}

/**
 * Returns the status after the import. An item with a past end is history; a trial continues, unless the plan is free.
 */
function importedStatus(
	{ now }: Work,
	existing: SubscriptionRow | undefined,
	{ plan }: Sale,
	{ startAt, endAt }: Span,
): SubscriptionStatus {
	if (endAt !== null && endAt <= now) return "EXPIRED";
	if (startAt > now) return "NOT_STARTED";
	if (existing?.status === "ACTIVE" || plan.pricingType === "FREE") return "ACTIVE";
	return existing?.trialEndAt && existing.trialEndAt > now ? "IN_TRIAL" : "ACTIVE";
}

/**
 * Ends the subscription in the slot of the import, since each slot has one active subscription and one in trial.
 * Returns the active one if it was ended.
 */
function endCurrent(
	work: Work,
	{ active, trial, waiting }: CurrentSubscriptions,
	existing: SubscriptionRow | undefined,
	status: SubscriptionStatus,
): SubscriptionRow | undefined {
	const other = status === "IN_TRIAL" ? trial : active;
	const ended = [...(other ? [other] : []), ...waiting].filter(({ id }) => id !== existing?.id);
	for (const row of ended) settleAndEnd(work, row, { reason: "UPGRADE_OR_DOWNGRADE" });
	return ended.find(({ id }) => id === active?.id);
}

function insertImported(
	work: Work,
	customer: CustomerRow,
	item: SubscriptionImportItem,
	{ sale, span, status }: Imported,
): SubscriptionRow {
	const row = insertSale(work, sale, {
		refId: item.id,
		billingId: item.billingId ?? null,
		customerId: customer.id,
		payingCustomerId: null,
		resourceId: item.resourceId ? ensureResource(work, customer.id, item.resourceId).id : null,
		...span,
		usageAnchorAt: usageAnchorOf(sale, span),
		billingAnchorAt: null,
		billedUntil: null,
		cancelAt: null,
		trialEndAt: null,
		trialEndBehavior: null,
		paymentCollection: "NOT_REQUIRED",
		paymentCollectionMethod: null,
		minimumSpend: null,
		budget: null,
		taxPercentage: null,
		taxes: null,
		...taxColumns(item),
		invoiceDaysUntilDue: null,
		childUsage: null,
		...childUsageAfter({ childUsage: null }, item.includesChildUsage, null),
		prorationMode: item.prorationMode ?? null,
		billingAnchor: item.billingAnchor ?? null,
		timeZone: item.timeZone ?? null,
		phases: sale.ownPhases,
		term: importedTerm(item) ?? null,
		spendThresholds: item.spendThresholds ? storedThresholds(item.spendThresholds) : null,
		commitments: item.commitments ? storedCommitments(item.commitments, "commitments") : null,
		billingDetails: null,
		priceOverrides: overridesOf(item, undefined),
		metadata: item.metadata ?? {},
		salesforceId: null,
	});
	if (item.appliedCoupons) applyCoupons(work, row, item.appliedCoupons, sale, placeOf(item));
	return enterStatus(work, row, sale, status);
}

function updateImported(
	work: Work,
	existing: SubscriptionRow,
	item: SubscriptionImportItem,
	{ sale, span, status }: Imported,
): SubscriptionRow {
	const { resourceId, billingId, metadata, prorationMode, spendThresholds } = item;
	const former = settleOrRestore(work, existing, status, span);
	const isSameTerm = span.startAt === former.startAt && sale.billingPeriod === former.billingPeriod;
	const counted =
		former.status === "ACTIVE" && status === "ACTIVE" ? newCountFrom(work, former, sale, item.planId) : undefined;
	const changed = applySale(work, former, sale, {
		...span,
		...counted,
		termsChangedAt: work.now,
		...(status === "EXPIRED" && { endedAt: span.endAt }),
		...(isSameTerm ? {} : { usageAnchorAt: usageAnchorOf(sale, span) }),
		...(sale.plan.id === former.versionId ? {} : { priceOverrides: [] }),
		...(item.priceOverrides && { priceOverrides: overridesOf(item, undefined) }),
		...(resourceId === undefined
			? {}
			: { resourceId: resourceId === null ? null : ensureResource(work, former.customerId, resourceId).id }),
		...(billingId === undefined ? {} : { billingId }),
		...(metadata === undefined ? {} : { metadata }),
		...childUsageAfter(former, item.includesChildUsage, work.now),
		...(prorationMode && { prorationMode }),
		...(spendThresholds && { spendThresholds: storedThresholds(spendThresholds) }),
		...(item.commitments && { commitments: storedCommitments(item.commitments, "commitments") }),
		...movedCycle(work, former, item),
		...taxColumns(item),
		...phaseColumns(work, former, item, { sale, span, status }),
		...termColumns(work, former, item, { sale, span, status }),
	});
	if (changed.status !== status) return enterStatus(work, changed, sale, status);
	// Billed periods stay billed, unless another start or billing period changes them.
	const keepsCycle = isSameTerm && (former.billingAnchorAt !== null) === (sale.billingPeriod !== null);
	if (status !== "ACTIVE" || keepsCycle) {
		const period = billingPeriodAt(changed, work.now);
		if (item.commitments && period) startCommitments(work, changed, sale, { start: period.end, period });
		return changed;
	}
	const cycle = importedBillingCycle(work, changed, sale, changed.startAt);
	const usageBilledFrom = cycle.period && unbilledUsageFrom(work, changed, cycle.from);
	const billed = changeSubscription(work, changed, { ...cycle.columns, ...(usageBilledFrom && { usageBilledFrom }) });
	recordImported(work, billed, cycle);
	return excludeUsageBefore(work, billed, cycle.sale);
}

/** Settles an ending subscription on its former terms, and restores an expired one that the item extends. */
function settleOrRestore(
	work: Work,
	existing: SubscriptionRow,
	status: SubscriptionStatus,
	{ endAt }: Span,
): SubscriptionRow {
	if (status === "EXPIRED" && existing.status !== "EXPIRED")
		return endSubscription(work, existing, { reason: "EXPIRED", status, ...(endAt !== null && { at: endAt }) });
	if (status === "EXPIRED" || existing.status !== "EXPIRED") return existing;
	return changeStatus(work, existing, "NOT_STARTED", {
		cancelReason: null,
		cancelAt: null,
		endedAt: null,
		...noBillingCycle,
	});
}

/**
 * Enters the imported status. A later start and a trial are charged from then on; the running period of an active
 * subscription was charged by another system.
 */
function enterStatus(work: Work, row: SubscriptionRow, sale: Sale, status: SubscriptionStatus): SubscriptionRow {
	switch (status) {
		case row.status:
			return row;
		case "EXPIRED":
			return markEnded(work, row, { reason: "EXPIRED", status, ...(row.endAt !== null && { at: row.endAt }) });
		case "ACTIVE": {
			const cycle = importedBillingCycle(work, row, sale, row.startAt);
			const started = changeStatus(work, row, status, { ...cycle.columns, supersedesId: null, supersedesAs: null });
			recordImported(work, started, cycle);
			return excludeUsageBefore(work, started, cycle.sale);
		}
		default:
			return changeStatus(work, row, status, { supersedesId: null, supersedesAs: null });
	}
}

/** Overage before the running period was billed by another system too. */
function excludeUsageBefore(work: Work, row: SubscriptionRow, sale: Sale): SubscriptionRow {
	if (row.usageBilledFrom !== null) excludeEarlierOverage(work, row, sale, row.usageBilledFrom);
	return row;
}

const usageAnchorOf = ({ billingPeriod, product }: Sale, { startAt }: Span): Instant =>
	usageAnchorAfter(undefined, { startAt, billingPeriod }, product.usageReset);

/**
 * An import restores neither a canceled subscription nor one that ended unpaid or with its trial. One that reached its
 * agreed end can be corrected, even to continue.
 */
function assertUpdatable(existing: SubscriptionRow, customer: CustomerRow, item: SubscriptionImportItem): void {
	if (existing.customerId !== customer.id)
		throw fail("InvalidArgumentError", `The subscription '${item.id}' belongs to another customer; use another id.`);
	if (hasEnded(existing.status) && existing.cancelReason !== "EXPIRED")
		throw fail(
			"SubscriptionAlreadyCanceledOrExpired",
			`The subscription '${item.id}' is ${existing.status} (${existing.cancelReason}); import it under another id.`,
		);
	assertNotAwaitingPayment(existing);
	const isBilled = existing.billingAnchorAt !== null && isRunning(existing.status);
	if (item.priceOverrides && isBilled && !isEqual(overridesOf(item, undefined), existing.priceOverrides))
		throw fail(
			"InvalidArgumentError",
			`The subscription '${item.id}' is billed at other 'priceOverrides'; change them by PATCH /subscriptions/${item.id}, which settles its usage.`,
		);
	if (existing.status === "PAUSED")
		throw fail(
			"InvalidSubscriptionStatus",
			`The subscription '${item.id}' is PAUSED; resume or cancel it before you import it.`,
		);
}

const resourceRefOf = (
	work: Work,
	{ resourceId }: SubscriptionImportItem,
	existing: SubscriptionRow | undefined,
): string | null => {
	if (resourceId !== undefined || !existing?.resourceId) return resourceId ?? null;
	return resourcesByIds(work, [existing.resourceId]).get(existing.resourceId)?.refId ?? null;
};

/** Any letter case is accepted (docs/interface/subscriptions.md); the schema has checked the letters. */
function importedPeriod(item: SubscriptionImportItem): BillingPeriod | undefined {
	const name = billingPeriodNames.find((one) => one === item.billingPeriod?.toUpperCase());
	return requestedPeriod({ billingPeriod: name, billingInterval: item.billingInterval }, placeOf(item));
}

const chargeOf = ({ id, quantity, type }: NonNullable<SubscriptionImportItem["charges"]>[number]): ChargeSelection => ({
	id,
	quantity,
	type: type.toUpperCase() === "CREDIT" ? "CREDIT" : "FEATURE",
});

/** A subscription keeps its currency. Throws InvalidArgumentError if the item names another one. */
function importedCurrency(work: Work, item: SubscriptionImportItem, existing: SubscriptionRow): CurrencyTerms {
	const kept = keptCurrency(work, existing);
	assertSameCurrency(item.billingCurrency, kept.held ? [kept.held.currency] : [], placeOf(item));
	return kept;
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Without a list of its own, an item keeps the prices of the subscription. */
const overridesOf = (
	{ priceOverrides }: SubscriptionImportItem,
	existing: SubscriptionRow | undefined,
): SubscriptionRow["priceOverrides"] =>
	priceOverrides?.map((override) => overrideOf(override)) ?? existing?.priceOverrides ?? [];
