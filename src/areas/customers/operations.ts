import { fail } from "../../kernel/errors";
import type { Page } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { couponsByIds, getCoupon } from "../coupons/operations";
import { assertApplicable } from "../coupons/rules";
import { assertAnchor } from "../pricing/rules.billing-anchor";
import { assertTaxes } from "../taxes/operations";
import { assertParentIsLive, placeAfter, recordParent } from "./parents/operations";
import { assertNotArchived, builtInBillingId, groupingOf, statedPaymentMethod } from "./rules";
import { assertLinkedOnce } from "./rules.integrations";
import type { CustomerListQuery, CustomerProvision, CustomerUpdate, ResourceListQuery } from "./schema";
import {
	changeCustomer,
	countShown,
	insertCustomer,
	insertResource,
	pageCustomers,
	pageResources,
	saveSeparate,
	selectByBillingId,
	selectByIds,
	selectByRef,
	selectByRefs,
	selectIdsAfter,
	selectRefsUpTo,
	selectResource,
	selectResourceRefs,
	selectResourcesByIds,
	selectResourcesByRef,
} from "./store";
import type { CustomerRow, ResourceRow } from "./table";

/** Returns the customer with this id of the caller, even if archived. */
export const findCustomer = (work: Work, refId: string): CustomerRow | undefined => selectByRef(work, refId);

/** Returns the same as `findCustomer`; throws CustomerNotFound if there is none. */
export function getCustomer(work: Work, refId: string): CustomerRow {
	const customer = selectByRef(work, refId);
	if (!customer)
		throw fail("CustomerNotFound", `There is no customer '${refId}' in this environment; provision it first.`);
	return customer;
}

/**
 * Finds a customer by the caller's id, or else by the billing provider's id. Source: docs/interface/README.md#the-eight-endpoints.
 */
export const findCustomerByRefOrBillingId = (work: Work, ref: string): CustomerRow | undefined =>
	selectByRef(work, ref) ?? selectByBillingId(work, ref);

/** Returns the customer with this row id. */
export const findCustomerById = (work: Work, id: string): CustomerRow | undefined => selectByIds(work, [id])[0];

/** Returns the customer with a row id that another row refers to. Throws CustomerNotFound. */
export function getCustomerById(work: Work, id: string): CustomerRow {
	const customer = findCustomerById(work, id);
	if (!customer) throw fail("CustomerNotFound", "There is no such customer in this environment.");
	return customer;
}

/** Returns the number of customers that are not archived. */
export const countCustomers = (work: Work): number => countShown(work);

/** Returns customers by row id, for at most a few hundred ids per call. */
export const customersByIds = (work: Work, ids: readonly string[]): Map<string, CustomerRow> =>
	new Map(selectByIds(work, ids).map((customer) => [customer.id, customer]));

/** Returns customers by the caller's id, for a batch. Unknown ids are absent. */
export const customersByRefs = (work: Work, refIds: readonly string[]): Map<string, CustomerRow> =>
	new Map(selectByRefs(work, refIds).map((customer) => [customer.refId, customer]));

/** Maps the row ids of these customers' coupons to the caller's ids. */
export function couponRefsOf(work: Work, rows: readonly CustomerRow[]): Map<string, string> {
	const held = [...new Set(rows.flatMap(({ couponId }) => couponId ?? []))];
	return new Map([...couponsByIds(work, held)].map(([id, coupon]) => [id, coupon.refId]));
}

/** Returns the caller's ids of up to `rowsMax` active customers, oldest first. */
export const customerRefsUpTo = (work: Work, rowsMax: number): string[] => selectRefsUpTo(work, rowsMax);

/** Returns the row ids after `after` in ascending order, archived customers included. The empty text starts at the first. */
export const customerIdsAfter = (work: Work, after: string, rowsMax: number): string[] =>
	selectIdsAfter(work, after, rowsMax);

export const listCustomers = (work: Work, query: CustomerListQuery): Page<CustomerRow> =>
	pageCustomers(work, query, {
		...(query.couponId !== undefined && { couponId: getCoupon(work, query.couponId).id }),
		...(query.parentCustomerId !== undefined && { parentCustomerId: getCustomer(work, query.parentCustomerId).id }),
	});

/**
 * Creates a customer without starting plans; callers use `startCustomer`. Throws DuplicatedEntityNotAllowed,
 * DuplicateIntegrationNotAllowed, CouponNotFound, ArchivedCouponCantBeApplied, and the codes of `placeAfter`.
 */
export function provisionCustomer(work: Work, input: CustomerProvision): CustomerRow {
	if (selectByRef(work, input.id))
		throw fail(
			"DuplicatedEntityNotAllowed",
			`There is a customer '${input.id}' already; choose another id or update it.`,
		);
	assertLinkedOnce(input.integrations ?? []);
	assertTaxes(work, "taxes", input.taxes);
	const id = work.newId();
	if (input.billingId) assertBillingIdFree(work, input.billingId);
	// Usage events may be waiting for this customer (docs/interface/usage.md, `unknownCustomers`).
	work.wake("aggregator");
	const alone = { id, refId: input.id, parentCustomerId: null, billsTo: null };
	const customer = insertCustomer(work, {
		id,
		refId: input.id,
		billingId: input.billingId ?? builtInBillingId(id),
		name: input.name ?? null,
		email: input.email ?? null,
		billingCurrency: input.billingCurrency ?? null,
		language: input.language ?? null,
		timezone: input.timezone ?? null,
		billingAnchor: anchorIn(input) ?? null,
		cycleAnchorAt: null,
		...appliedCoupon(work, input.couponId ?? null),
		defaultPaymentMethod: null,
		paymentMethodSource: null,
		...statedPaymentMethod(paymentMethodIn(input), null),
		...(input.defaultPaymentMethod !== undefined && { defaultPaymentMethod: input.defaultPaymentMethod }),
		integrations: input.integrations ?? [],
		passthrough: input.passthrough ?? null,
		legalEntityId: null,
		taxExemption: null,
		taxExemptionProvision: null,
		taxes: input.taxes ?? null,
		...placeAfter(work, alone, input, "body"),
		invoiceGrouping: groupingOf(input) ?? null,
		cashDiscount: null,
		metadata: input.metadata ?? {},
		importedAsOf: null,
	});
	recordParent(work, undefined, customer);
	return customer;
}

/**
 * Changes the sent fields; null clears. A null `billingId` assigns a new id of the built-in provider. Throws CustomerNotFound,
 * EntityIsArchivedError, CouponNotFound, ArchivedCouponCantBeApplied, DuplicatedEntityNotAllowed, DuplicateIntegrationNotAllowed, and
 * the codes of `placeAfter`.
 */
export function updateCustomer(work: Work, refId: string, input: CustomerUpdate): CustomerRow {
	const customer = getCustomer(work, refId);
	assertNotArchived(customer);
	const { couponId, billingId, parentCustomerId: _, billsTo: __, invoiceGrouping: ___, ...plain } = input;
	assertLinkedOnce(input.integrations ?? []);
	assertTaxes(work, "taxes", input.taxes, customer.taxes);
	anchorIn(input);
	if (billingId && billingId !== customer.billingId) assertBillingIdFree(work, billingId);
	const place = placeAfter(work, customer, input, "body");
	recordParent(work, customer, { id: customer.id, ...place });
	return changeCustomer(work, customer, {
		...plain,
		...place,
		...(input.invoiceGrouping && { invoiceGrouping: groupingOf(input) ?? null }),
		...statedPaymentMethod(paymentMethodIn(input), customer.defaultPaymentMethod),
		...(billingId === undefined ? {} : { billingId: billingId ?? builtInBillingId(work.newId()) }),
		...(couponId === undefined ? {} : appliedCoupon(work, couponId, customer)),
	});
}

/** Ends the consolidation of a customer's invoices, within a dry run: a preview finds the time of a subscription's next invoice by it. */
export const invoiceSeparately = (work: Work, { id, invoiceGrouping }: CustomerRow): void => {
	if (invoiceGrouping !== null) saveSeparate(work, id);
};

/**
 * Marks the customer archived and clears its name and email (docs/interface/customers.md). Archiving twice changes nothing. Routes
 * call `archiveCustomer` of `subscriptions`, which also ends subscriptions.
 */
export function markCustomerArchived(work: Work, customer: CustomerRow): CustomerRow {
	if (customer.archivedAt !== null) return customer;
	return changeCustomer(work, customer, { archivedAt: work.now, name: null, email: null });
}

/**
 * Allows new subscriptions again. Cleared fields stay cleared. Unarchiving twice changes nothing. Throws CustomerNotFound;
 * EntityIsArchivedError if its parent is archived.
 */
export function unarchiveCustomer(work: Work, refId: string): CustomerRow {
	const customer = getCustomer(work, refId);
	if (customer.archivedAt === null) return customer;
	assertParentIsLive(work, customer);
	return changeCustomer(work, customer, { archivedAt: null });
}

/** Finds a resource of a customer. `customerId` is a row id; `resourceRefId` is the caller's id. */
export const findResource = (work: Work, customerId: string, resourceRefId: string): ResourceRow | undefined =>
	selectResource(work, customerId, resourceRefId);

/** Returns the resource with this id, and creates it if it does not exist (docs/interface/customers.md). */
export const ensureResource = (work: Work, customerId: string, resourceRefId: string): ResourceRow =>
	selectResource(work, customerId, resourceRefId) ?? insertResource(work, customerId, resourceRefId);

/** Returns the resources with this id of all customers. */
export const resourcesByRef = (work: Work, resourceRefId: string): ResourceRow[] =>
	selectResourcesByRef(work, resourceRefId);

/** Returns resources by row id. */
export const resourcesByIds = (work: Work, ids: readonly string[]): Map<string, ResourceRow> =>
	new Map(selectResourcesByIds(work, ids).map((resource) => [resource.id, resource]));

/** Returns the caller's ids of up to `rowsMax` resources of a customer, oldest first. */
export const resourceRefsUpTo = (work: Work, customerId: string, rowsMax: number): string[] =>
	selectResourceRefs(work, customerId, rowsMax);

export const listResources = (work: Work, refId: string, query: ResourceListQuery): Page<ResourceRow> =>
	pageResources(work, getCustomer(work, refId).id, query);

/** Throws BadUserInput for an anchor with missing or unneeded parts. */
function anchorIn({ billingAnchor }: Pick<CustomerUpdate, "billingAnchor">) {
	if (billingAnchor) assertAnchor(billingAnchor, "body/billingAnchor");
	return billingAnchor;
}

/** Returns the payment method's id, which may be in the billing details of either provider. */
const paymentMethodIn = ({ passthrough }: Pick<CustomerUpdate, "passthrough">): string | undefined =>
	passthrough?.stripe?.paymentMethodId ?? passthrough?.zuora?.paymentMethodId;

function assertBillingIdFree(work: Work, billingId: string): void {
	if (selectByBillingId(work, billingId))
		throw fail("DuplicatedEntityNotAllowed", `Another customer has the billing id '${billingId}' already.`);
}

/**
 * Returns the coupon fields. The empty text and null remove the coupon. A coupon that the customer already has stays valid, even if
 * it was archived since.
 */
function appliedCoupon(work: Work, couponRefId: string | null, holder?: CustomerRow) {
	if (!couponRefId) return { couponId: null, couponAppliedAt: null };
	const coupon = getCoupon(work, couponRefId);
	if (holder && coupon.id === holder.couponId) return { couponId: coupon.id, couponAppliedAt: holder.couponAppliedAt };
	assertApplicable(coupon);
	return { couponId: coupon.id, couponAppliedAt: work.now };
}
