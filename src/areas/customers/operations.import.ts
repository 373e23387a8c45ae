import { type Instant, parseInstant } from "../../kernel/clock";
import { assert, fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { assertAnchor } from "../pricing/rules.billing-anchor";
import { placeAfter, recordParent } from "./parents/operations";
import { assertKnownIntegration, assertNotArchived, builtInBillingId, groupingOf, statedPaymentMethod } from "./rules";
import { withVendorId } from "./rules.integrations";
import type { CustomerIntegrationRef } from "./schema";
import type { CustomerImport, CustomerImportItem } from "./schema.import";
import { changeCustomer, saveCustomers, selectByBillingIds, selectByRefs } from "./store";
import type { CustomerRow } from "./table";

/**
 * Creates and updates up to a thousand customers in one transaction: all or none. Returns the ids of the new ones in the order of
 * the request. Skips an item that is older than the stored record. Throws BadUserInput for a repeated id or billing id,
 * IntegrationNotFound, EntityIsArchivedError, DuplicatedEntityNotAllowed for another customer's billing id, or the codes of `placeAfter`.
 */
export function importCustomers(work: Work, { customers: items, integrationId }: CustomerImport): string[] {
	assertKnownIntegration(integrationId);
	assertOnce(items, "id");
	assertOnce(items, "billingId");
	const known = new Map(selectByRefs(work, refsOf(items)).map((customer) => [customer.refId, customer]));
	assertBillingIdsFree(work, items);
	for (const [at, { billingAnchor }] of items.entries())
		if (billingAnchor) assertAnchor(billingAnchor, `body/customers/${at}/billingAnchor`);
	const written = items.flatMap((item, at) => {
		const customer = known.get(item.id);
		if (!customer) return newCustomer(work, item);
		return isOutdated(item, customer) ? [] : changed(work, customer, item, at);
	});
	saveCustomers(work, written, new Map([...known.values()].map((customer) => [customer.id, customer])));
	placeImported(work, items, written, known);
	const fresh = refsOf(items).filter((refId) => !known.has(refId));
	// Usage events may be waiting for these customers (docs/interface/usage.md, `unknownCustomers`).
	if (fresh.length > 0) work.wake("aggregator");
	return fresh;
}

/** Parents are set when all items are stored, since a parent may follow its children. */
function placeImported(
	work: Work,
	items: readonly CustomerImportItem[],
	written: readonly CustomerRow[],
	known: ReadonlyMap<string, CustomerRow>,
): void {
	const stored = new Map(written.map((customer) => [customer.refId, customer]));
	for (const [at, item] of items.entries()) {
		const customer = stored.get(item.id);
		if (!customer || (item.parentCustomerId === undefined && item.billsTo === undefined)) continue;
		const place = placeAfter(work, customer, item, `body/customers/${at}`);
		if (place.parentCustomerId === customer.parentCustomerId && place.billsTo === customer.billsTo) continue;
		recordParent(work, known.get(item.id), { id: customer.id, ...place });
		changeCustomer(work, customer, { importedAsOf: customer.importedAsOf, ...place });
	}
}

const refsOf = (items: readonly CustomerImportItem[]): string[] => items.map(({ id }) => id);

function assertOnce(items: readonly CustomerImportItem[], key: "id" | "billingId"): void {
	const firstAt = new Map<string, number>();
	items.forEach(({ [key]: value }, at) => {
		if (value === undefined) return;
		const earlier = firstAt.get(value);
		if (earlier !== undefined)
			throw fail(
				"BadUserInput",
				`body/customers/${at}/${key}: '${value}' is in item ${earlier} already; each may be there once.`,
			);
		firstAt.set(value, at);
	});
}

/**
 * Throws if another customer has the billing id, even if this import changes that customer's id. The order of the items does not
 * matter.
 */
function assertBillingIdsFree(work: Work, items: readonly CustomerImportItem[]): void {
	const holders = new Map(
		selectByBillingIds(
			work,
			items.flatMap(({ billingId }) => billingId ?? []),
		).map(({ billingId, refId }) => [billingId, refId]),
	);
	items.forEach(({ id, billingId }, at) => {
		const holder = billingId === undefined ? undefined : holders.get(billingId);
		if (holder !== undefined && holder !== id)
			throw fail(
				"DuplicatedEntityNotAllowed",
				`body/customers/${at}/billingId: another customer has the billing id '${billingId}' already.`,
			);
	});
}

const asOf = ({ updatedAt }: CustomerImportItem): Instant | null => {
	if (updatedAt === undefined) return null;
	const at = parseInstant(updatedAt);
	assert(at !== undefined, "the schema has checked the instant");
	return at;
};

/**
 * Whether the item is older than the stored record. An imported record has the date that its import stated; any other record has
 * the date of its last change.
 */
function isOutdated(item: CustomerImportItem, { importedAsOf, updatedAt }: CustomerRow): boolean {
	const at = asOf(item);
	return at !== null && at < (importedAsOf ?? updatedAt);
}

function newCustomer(work: Work, item: CustomerImportItem): CustomerRow {
	const id = work.newId();
	return {
		id,
		environmentId: work.actor.environmentId,
		refId: item.id,
		billingId: item.billingId ?? builtInBillingId(id),
		name: item.name,
		email: item.email,
		billingCurrency: null,
		language: null,
		timezone: null,
		billingAnchor: item.billingAnchor ?? null,
		cycleAnchorAt: null,
		couponId: null,
		couponAppliedAt: null,
		defaultPaymentMethod: null,
		paymentMethodSource: null,
		...statedPaymentMethod(item.paymentMethodId, null),
		integrations: linksWith(item, []),
		passthrough: null,
		legalEntityId: null,
		taxExemption: null,
		taxExemptionProvision: null,
		taxes: null,
		parentCustomerId: null,
		billsTo: null,
		invoiceGrouping: groupingOf(item) ?? null,
		cashDiscount: null,
		metadata: item.metadata ?? {},
		importedAsOf: asOf(item),
		archivedAt: null,
		createdAt: work.now,
		updatedAt: work.now,
	};
}

/** Returns the changed row. Fields missing in the item keep their values. */
function changed(work: Work, customer: CustomerRow, item: CustomerImportItem, at: number): CustomerRow {
	assertNotArchived(customer, `body/customers/${at}: `);
	const { name, email, billingAnchor, billingId, metadata, paymentMethodId } = item;
	return {
		...customer,
		name,
		email,
		integrations: linksWith(item, customer.integrations),
		importedAsOf: asOf(item),
		...(billingAnchor !== undefined && { billingAnchor }),
		...(billingId !== undefined && { billingId }),
		...(metadata !== undefined && { metadata }),
		...(item.invoiceGrouping && { invoiceGrouping: groupingOf(item) ?? null }),
		...statedPaymentMethod(paymentMethodId, customer.defaultPaymentMethod),
		updatedAt: work.now,
	};
}

const linksWith = (
	{ salesforceId }: CustomerImportItem,
	links: readonly CustomerIntegrationRef[],
): CustomerIntegrationRef[] =>
	salesforceId === undefined ? [...links] : withVendorId(links, "SALESFORCE", salesforceId);
