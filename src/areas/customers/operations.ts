import { fail } from "../../kernel/errors";
import type { Page } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { couponsByIds, getCoupon } from "../coupons/operations";
import { assertApplicable } from "../coupons/rules";
import { assertNotArchived, builtInBillingId, statedPaymentMethod } from "./rules";
import { assertLinkedOnce } from "./rules.integrations";
import type { CustomerListQuery, CustomerProvision, CustomerUpdate, ResourceListQuery } from "./schema";
import {
	changeCustomer,
	countShown,
	insertCustomer,
	insertResource,
	pageCustomers,
	pageResources,
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

/** The customer of the caller's id, archived or not. */
export const findCustomer = (work: Work, refId: string): CustomerRow | undefined => selectByRef(work, refId);

/** As `findCustomer`; CustomerNotFound. */
export function getCustomer(work: Work, refId: string): CustomerRow {
	const customer = selectByRef(work, refId);
	if (!customer)
		throw fail("CustomerNotFound", `There is no customer '${refId}' in this environment; provision it first.`);
	return customer;
}

/** The caller's own id comes first, else the billing provider's (source: endpoint 1, path parameter `id`). */
export const findCustomerByRefOrBillingId = (work: Work, ref: string): CustomerRow | undefined =>
	selectByRef(work, ref) ?? selectByBillingId(work, ref);

/** By row id. */
export const findCustomerById = (work: Work, id: string): CustomerRow | undefined => selectByIds(work, [id])[0];

/** By row id: a reference that another row holds. CustomerNotFound. */
export function getCustomerById(work: Work, id: string): CustomerRow {
	const customer = findCustomerById(work, id);
	if (!customer) throw fail("CustomerNotFound", "There is no such customer in this environment.");
	return customer;
}

/** Those that are not archived. */
export const countCustomers = (work: Work): number => countShown(work);

/** Row id → row. At most a few hundred ids a call. */
export const customersByIds = (work: Work, ids: readonly string[]): Map<string, CustomerRow> =>
	new Map(selectByIds(work, ids).map((customer) => [customer.id, customer]));

/** Caller's id → row, for a batch; unknown ids are left out. */
export const customersByRefs = (work: Work, refIds: readonly string[]): Map<string, CustomerRow> =>
	new Map(selectByRefs(work, refIds).map((customer) => [customer.refId, customer]));

/** The caller's ids of the coupons that these customers hold, by the coupons' row ids. */
export function couponRefsOf(work: Work, rows: readonly CustomerRow[]): Map<string, string> {
	const held = [...new Set(rows.flatMap(({ couponId }) => couponId ?? []))];
	return new Map([...couponsByIds(work, held)].map(([id, coupon]) => [id, coupon.refId]));
}

/** The callers' ids of those who are not archived, oldest first, at most so many. */
export const customerRefsUpTo = (work: Work, rowsMax: number): string[] => selectRefsUpTo(work, rowsMax);

/** Row ids of all, the archived too, in their order after one of them; "" stands before the first. */
export const customerIdsAfter = (work: Work, after: string, rowsMax: number): string[] =>
	selectIdsAfter(work, after, rowsMax);

export const listCustomers = (work: Work, query: CustomerListQuery): Page<CustomerRow> =>
	pageCustomers(work, query, query.couponId === undefined ? undefined : getCoupon(work, query.couponId).id);

/**
 * Creates a customer, and nothing alongside it: `startCustomer` is what callers are given.
 * DuplicatedEntityNotAllowed, DuplicateIntegrationNotAllowed, CouponNotFound, ArchivedCouponCantBeApplied.
 */
export function provisionCustomer(work: Work, input: CustomerProvision): CustomerRow {
	if (selectByRef(work, input.id))
		throw fail(
			"DuplicatedEntityNotAllowed",
			`There is a customer '${input.id}' already; choose another id or update it.`,
		);
	assertLinkedOnce(input.integrations ?? []);
	const id = work.newId();
	if (input.billingId) assertBillingIdFree(work, input.billingId);
	// Events may have been waiting for this customer (docs/interface/usage.md, `unknownCustomers`).
	work.wake("aggregator");
	return insertCustomer(work, {
		id,
		refId: input.id,
		billingId: input.billingId ?? builtInBillingId(id),
		name: input.name ?? null,
		email: input.email ?? null,
		billingCurrency: input.billingCurrency ?? null,
		language: input.language ?? null,
		timezone: input.timezone ?? null,
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
		cashDiscount: null,
		metadata: input.metadata ?? {},
		importedAsOf: null,
	});
}

/**
 * Changes what is sent; null clears. A null `billingId` gives the customer a new id at the built-in provider.
 * CustomerNotFound, EntityIsArchivedError, CouponNotFound, ArchivedCouponCantBeApplied, DuplicatedEntityNotAllowed,
 * DuplicateIntegrationNotAllowed.
 */
export function updateCustomer(work: Work, refId: string, input: CustomerUpdate): CustomerRow {
	const customer = getCustomer(work, refId);
	assertNotArchived(customer);
	const { couponId, billingId, ...plain } = input;
	assertLinkedOnce(input.integrations ?? []);
	if (billingId && billingId !== customer.billingId) assertBillingIdFree(work, billingId);
	return changeCustomer(work, customer, {
		...plain,
		...statedPaymentMethod(paymentMethodIn(input), customer.defaultPaymentMethod),
		...(billingId === undefined ? {} : { billingId: billingId ?? builtInBillingId(work.newId()) }),
		...(couponId === undefined ? {} : appliedCoupon(work, couponId, customer)),
	});
}

/**
 * Marks the customer archived and clears name and email (docs/interface/customers.md). What happens to its
 * subscriptions is theirs to say: see `archiveCustomer` of subscriptions, which the routes call. Archiving twice
 * changes nothing.
 */
export function markCustomerArchived(work: Work, customer: CustomerRow): CustomerRow {
	if (customer.archivedAt !== null) return customer;
	return changeCustomer(work, customer, { archivedAt: work.now, name: null, email: null });
}

/** Allows new subscriptions again; cleared fields stay cleared. Unarchiving twice changes nothing. */
export function unarchiveCustomer(work: Work, refId: string): CustomerRow {
	const customer = getCustomer(work, refId);
	return customer.archivedAt === null ? customer : changeCustomer(work, customer, { archivedAt: null });
}

/** `customerId` is the row id; the resource's id is the caller's. */
export const findResource = (work: Work, customerId: string, resourceRefId: string): ResourceRow | undefined =>
	selectResource(work, customerId, resourceRefId);

/** The resource of that id; it comes into being when something names it first (docs/interface/customers.md). */
export const ensureResource = (work: Work, customerId: string, resourceRefId: string): ResourceRow =>
	selectResource(work, customerId, resourceRefId) ?? insertResource(work, customerId, resourceRefId);

/** Every customer's resource of that id. */
export const resourcesByRef = (work: Work, resourceRefId: string): ResourceRow[] =>
	selectResourcesByRef(work, resourceRefId);

/** Row id → row. */
export const resourcesByIds = (work: Work, ids: readonly string[]): Map<string, ResourceRow> =>
	new Map(selectResourcesByIds(work, ids).map((resource) => [resource.id, resource]));

/** The caller's ids of a customer's resources, oldest first, at most so many. */
export const resourceRefsUpTo = (work: Work, customerId: string, rowsMax: number): string[] =>
	selectResourceRefs(work, customerId, rowsMax);

export const listResources = (work: Work, refId: string, query: ResourceListQuery): Page<ResourceRow> =>
	pageResources(work, getCustomer(work, refId).id, query);

/** The id of a payment method may come with the billing details of either provider. */
const paymentMethodIn = ({ passthrough }: Pick<CustomerUpdate, "passthrough">): string | undefined =>
	passthrough?.stripe?.paymentMethodId ?? passthrough?.zuora?.paymentMethodId;

function assertBillingIdFree(work: Work, billingId: string): void {
	if (selectByBillingId(work, billingId))
		throw fail("DuplicatedEntityNotAllowed", `Another customer has the billing id '${billingId}' already.`);
}

/** The empty string, and null, drop the coupon. One that the customer holds already stays, also when archived since. */
function appliedCoupon(work: Work, couponRefId: string | null, holder?: CustomerRow) {
	if (!couponRefId) return { couponId: null, couponAppliedAt: null };
	const coupon = getCoupon(work, couponRefId);
	if (holder && coupon.id === holder.couponId) return { couponId: coupon.id, couponAppliedAt: holder.couponAppliedAt };
	assertApplicable(coupon);
	return { couponId: coupon.id, couponAppliedAt: work.now };
}
