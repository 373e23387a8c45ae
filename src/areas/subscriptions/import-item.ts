import { type Instant, parseInstant } from "../../kernel/clock";
import { assert, fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { ensureResource, getCustomer, resourcesByIds } from "../customers/operations";
import { assertNotArchived } from "../customers/rules";
import type { CustomerRow } from "../customers/table";
import type { BillingPeriod } from "../packages/schema";
import { buyerOf } from "./buyer";
import { endSubscription, markEnded } from "./ending";
import { heldBy } from "./held";
import { insertParts, replaceParts } from "./provision";
import { usageAnchorAfter } from "./rules";
import type { Sale, SaleInput } from "./sale";
import type { SubscriptionImportItem } from "./schema.import";
import type { ChargeSelection } from "./schema.provision";
import { type Slot, slotFor } from "./slot";
import { cycleChargedElsewhere } from "./starting";
import { changeSubscription, insertSubscription, selectByRef } from "./store";
import type { SubscriptionRow } from "./table";

/** Looks up and checks what is sold: `prepareSale` of one transaction. */
export type Sell = (input: SaleInput) => Sale;

/**
 * Creates the subscription of that id, or brings the one that is there to what the item says; keys that an item leaves out
 * are left as they are. No invoice: what was charged elsewhere is not charged again, and billing begins with the next
 * period (semantics-extra 20). An item that is done twice ends in the same state.
 */
export function importItem(work: Work, item: SubscriptionImportItem, sell: Sell): SubscriptionRow {
	const customer = getCustomer(work, item.customerId);
	assertNotArchived(customer);
	const existing = selectByRef(work, item.id);
	if (existing) assertUpdatable(existing, customer, item);
	const held = existing && heldBy(work, existing);
	const samePlan = held?.versions.some(({ kind, refId }) => kind === "PLAN" && refId === item.planId) ?? false;
	const sale = sell({
		planId: item.planId,
		addons: item.addons ?? (samePlan ? (held?.addons ?? []) : []),
		charges: item.charges?.map(chargeOf) ?? (samePlan ? (held?.charges ?? []) : []),
		billingPeriod: upper(item.billingPeriod) ?? (samePlan ? (existing?.billingPeriod ?? undefined) : undefined),
		prices:
			existing && samePlan
				? { country: existing.billingCountryCode }
				: { buyer: buyerOf(customer, existing?.billingCountryCode) },
		priceOverrides: samePlan ? (existing?.priceOverrides ?? []) : [],
		heldVersions: samePlan ? (held?.versions ?? []) : [],
	});
	const span = importedSpan(work, item, existing);
	if (span.status === "ACTIVE")
		clearSlot(work, slotFor(work, customer.id, resourceRefOf(work, item, existing), sale), existing);
	const subscription = existing
		? updateImported(work, existing, item, sale, span)
		: insertImported(work, customer, item, sale, span);
	(existing ? replaceParts : insertParts)(work, subscription, sale);
	return subscription;
}

/** One is active in each place: what is imported takes it. */
function clearSlot(work: Work, { active, waiting }: Slot, existing: SubscriptionRow | undefined): void {
	if (active && active.id !== existing?.id) endSubscription(work, active, { reason: "UPGRADE_OR_DOWNGRADE" });
	for (const row of waiting) if (row.id !== existing?.id) markEnded(work, row, { reason: "UPGRADE_OR_DOWNGRADE" });
}

interface Span {
	readonly startAt: Instant;
	readonly endAt: Instant | null;
	readonly endedAt: Instant | null;
	readonly status: "ACTIVE" | "EXPIRED" | "NOT_STARTED";
	readonly cancelReason: "EXPIRED" | null;
}

/** An item whose end has come already is history: it is kept as expired and takes nobody's place. */
function importedSpan(work: Work, item: SubscriptionImportItem, existing: SubscriptionRow | undefined): Span {
	const startAt = instantOf(item.startDate) ?? existing?.startAt ?? work.now;
	const endAt = item.endDate === null ? null : (instantOf(item.endDate) ?? existing?.endAt ?? null);
	if (endAt !== null && endAt <= startAt)
		throw fail("BadUserInput", "'endDate' must lie after the start of the subscription.");
	const hasEnded = endAt !== null && endAt <= work.now;
	return {
		startAt,
		endAt,
		endedAt: hasEnded ? endAt : null,
		status: hasEnded ? "EXPIRED" : startAt > work.now ? "NOT_STARTED" : "ACTIVE",
		cancelReason: hasEnded ? "EXPIRED" : null,
	};
}

function insertImported(
	work: Work,
	customer: CustomerRow,
	item: SubscriptionImportItem,
	sale: Sale,
	span: Span,
): SubscriptionRow {
	assert(sale.plan.pricingType, "a published plan has a pricing type");
	return insertSubscription(work, {
		refId: item.id,
		billingId: item.billingId ?? null,
		customerId: customer.id,
		payingCustomerId: null,
		resourceId: item.resourceId ? ensureResource(work, customer.id, item.resourceId).id : null,
		...soldOf(sale),
		...periodsOf(work, sale, span),
		...span,
		cancelAt: null,
		trialEndAt: null,
		trialEndBehavior: null,
		paymentCollection: "NOT_REQUIRED",
		paymentCollectionMethod: null,
		minimumSpend: null,
		budget: null,
		taxPercentage: null,
		invoiceDaysUntilDue: null,
		billingDetails: null,
		priceOverrides: [],
		metadata: item.metadata ?? {},
		salesforceId: null,
	});
}

function updateImported(
	work: Work,
	existing: SubscriptionRow,
	item: SubscriptionImportItem,
	sale: Sale,
	span: Span,
): SubscriptionRow {
	const { resourceId, billingId, metadata } = item;
	// What has been billed stays billed, unless another start or another period makes other periods of it.
	const samePeriods = span.startAt === existing.startAt && sale.billingPeriod === existing.billingPeriod;
	return changeSubscription(work, existing, {
		...soldOf(sale),
		...(samePeriods ? {} : periodsOf(work, sale, span)),
		...span,
		...(sale.plan.id === existing.versionId ? {} : { priceOverrides: [] }),
		...(resourceId === undefined
			? {}
			: { resourceId: resourceId === null ? null : ensureResource(work, existing.customerId, resourceId).id }),
		...(billingId === undefined ? {} : { billingId }),
		...(metadata === undefined ? {} : { metadata }),
	});
}

/** What starts later is charged from its start; what runs was charged elsewhere for the period that runs. */
const periodsOf = (work: Work, sale: Sale, { startAt, status }: Span) => ({
	...(status === "NOT_STARTED" ? nothingCharged : cycleChargedElsewhere(work, sale, startAt)),
	usageAnchorAt: usageAnchorAfter(undefined, { startAt, billingPeriod: sale.billingPeriod }, sale.product.usageReset),
});

const nothingCharged = { billingAnchorAt: null, billedUntil: null };

function soldOf({ product, plan, billingPeriod, billingCountryCode }: Sale) {
	assert(plan.pricingType, "a published plan has a pricing type");
	return {
		productId: product.id,
		planId: plan.packageId,
		versionId: plan.id,
		pricingType: plan.pricingType,
		billingPeriod,
		billingCountryCode,
	};
}

/** What was cancelled does not come back by an import; what has expired may be corrected, also to go on. */
function assertUpdatable(existing: SubscriptionRow, customer: CustomerRow, item: SubscriptionImportItem): void {
	if (existing.customerId !== customer.id)
		throw fail("InvalidArgumentError", `The subscription '${item.id}' belongs to another customer; use another id.`);
	if (existing.status === "CANCELED")
		throw fail(
			"SubscriptionAlreadyCanceledOrExpired",
			`The subscription '${item.id}' is CANCELED; import it under another id.`,
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

const isPeriod = (text: string): text is BillingPeriod => text === "MONTHLY" || text === "ANNUALLY";

/** Any letter case is read (choices.md, imports); the schema has checked the letters. */
function upper(text: string | undefined): BillingPeriod | undefined {
	const period = text?.toUpperCase();
	return period !== undefined && isPeriod(period) ? period : undefined;
}

const chargeOf = ({ id, quantity, type }: NonNullable<SubscriptionImportItem["charges"]>[number]): ChargeSelection => ({
	id,
	quantity,
	type: type.toUpperCase() === "CREDIT" ? "CREDIT" : "FEATURE",
});

function instantOf(text: string | null | undefined): Instant | undefined {
	if (text === undefined || text === null) return undefined;
	const at = parseInstant(text);
	assert(at !== undefined, "the schema has checked the instant");
	return at;
}
