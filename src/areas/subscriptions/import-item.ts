import { type Instant, parseInstant } from "../../kernel/clock";
import { assert, fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { currenciesByIds } from "../currencies/operations";
import { ensureResource, getCustomer, resourcesByIds } from "../customers/operations";
import { assertNotArchived } from "../customers/rules";
import type { CustomerRow } from "../customers/table";
import { featuresByIds } from "../features/operations";
import { versionsByIds } from "../packages/operations";
import type { BillingPeriod } from "../packages/schema";
import { endSubscription, runningBeside, saveParts, spanOf } from "./provision";
import type { Sale, SaleInput } from "./sale";
import type { SubscriptionImportItem } from "./schema.import";
import type { ChargeSelection } from "./schema.provision";
import { changeSubscription, insertSubscription, selectByRef } from "./store";
import { selectAddons, selectQuantities } from "./store.parts";
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
		billingCountryCode: existing?.billingCountryCode ?? null,
		priceOverrides: samePlan ? (existing?.priceOverrides ?? []) : [],
		heldVersions: samePlan ? (held?.versions ?? []) : [],
	});
	const span = importedSpan(work, item, existing);
	if (span.status === "ACTIVE")
		for (const row of runningBeside(work, customer.id, resourceRefOf(work, item, existing), sale))
			if (row.id !== existing?.id) endSubscription(work, row, "UPGRADE_OR_DOWNGRADE");
	const subscription = existing
		? updateImported(work, existing, item, sale, span)
		: insertImported(work, customer, item, sale, span);
	saveParts(work, subscription, sale, []);
	return subscription;
}

interface Span {
	readonly startAt: Instant;
	readonly endAt: Instant | null;
	readonly endedAt: Instant | null;
	readonly status: "ACTIVE" | "EXPIRED";
	readonly cancelReason: "EXPIRED" | null;
}

/** An item whose end has come already is history: it is kept as expired and takes nobody's place. */
function importedSpan(work: Work, item: SubscriptionImportItem, existing: SubscriptionRow | undefined): Span {
	const startAt = instantOf(item.startDate) ?? existing?.startAt ?? work.now;
	const endAt = item.endDate === null ? null : (instantOf(item.endDate) ?? existing?.endAt ?? null);
	if (startAt > work.now)
		throw fail(
			"UnsupportedSubscriptionScheduleType",
			"'startDate' lies in the future; subscriptions start now or in the past. Import it when it is due.",
		);
	if (endAt !== null && endAt <= startAt)
		throw fail("BadUserInput", "'endDate' must lie after the start of the subscription.");
	const hasEnded = endAt !== null && endAt <= work.now;
	return {
		startAt,
		endAt,
		endedAt: hasEnded ? endAt : null,
		status: hasEnded ? "EXPIRED" : "ACTIVE",
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
		billingCountryCode: null,
		...spanOf(work, sale, span.startAt),
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
		...(samePeriods ? {} : spanOf(work, sale, span.startAt)),
		...span,
		...(sale.plan.id === existing.versionId ? {} : { priceOverrides: [] }),
		...(resourceId === undefined
			? {}
			: { resourceId: resourceId === null ? null : ensureResource(work, existing.customerId, resourceId).id }),
		...(billingId === undefined ? {} : { billingId }),
		...(metadata === undefined ? {} : { metadata }),
	});
}

function soldOf({ product, plan, billingPeriod }: Sale) {
	assert(plan.pricingType, "a published plan has a pricing type");
	return {
		productId: product.id,
		planId: plan.packageId,
		versionId: plan.id,
		pricingType: plan.pricingType,
		billingPeriod,
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

/** What the subscription has now, in the words of an import item. */
export function heldBy(work: Work, { id, versionId }: SubscriptionRow) {
	const rows = selectAddons(work, [id]);
	const versions = versionsByIds(work, [versionId, ...rows.map((row) => row.versionId)]);
	const quantities = selectQuantities(work, [id]);
	const features = featuresByIds(
		work,
		quantities.flatMap(({ featureId }) => featureId ?? []),
	);
	const currencies = currenciesByIds(
		work,
		quantities.flatMap(({ currencyId }) => currencyId ?? []),
	);
	return {
		versions: [...versions.values()],
		addons: rows.map((row) => ({ id: versions.get(row.versionId)?.refId ?? "", quantity: row.quantity })),
		charges: quantities.map(
			({ featureId, currencyId, quantity }): ChargeSelection => ({
				id: (featureId === null ? currencies.get(currencyId ?? "") : features.get(featureId))?.refId ?? "",
				quantity: Number(quantity),
				type: featureId === null ? "CREDIT" : "FEATURE",
			}),
		),
	};
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
