import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { getCustomer, markCustomerArchived, provisionCustomer } from "../../customers/operations";
import { clearPaymentMethod } from "../../customers/operations.payment";
import { assertHasNoChildren } from "../../customers/parents/operations";
import { defaultPayerId } from "../../customers/parents/rules";
import { assertNotArchived } from "../../customers/rules";
import type { CustomerProvision } from "../../customers/schema";
import type { CustomerRow } from "../../customers/table";
import { chargesOf, latestVersionsOf, packagesByRefs } from "../../packages/operations";
import { offeredPeriods } from "../../pricing/choice/price";
import { viewBillingPeriod } from "../../pricing/rules.billing-period";
import { productsStarting } from "../../products/operations";
import type { ProductRow } from "../../products/table";
import { markEnded } from "../lifecycle/end";
import { runDueSteps } from "../lifecycle/operations.due";
import { provisionSubscription } from "../operations";
import { liveSubscriptions } from "../operations.reading";
import type { SubscriptionProvision } from "../schema.provision";
import { selectRunning } from "../store.of-customers";
import type { SubscriptionRow } from "../table";
import { canStart } from "./rules.start-plan";

// Operations on a customer together with its subscriptions. The customers area comes before this one, so REST and
// GraphQL call these.

/** A provision without the customer, which is created in the same call. */
export type FirstSubscription = Omit<SubscriptionProvision, "customerId">;

export interface StartedCustomer {
	readonly customer: CustomerRow;
	/** The requested subscription, or the first that a start plan provisioned. */
	readonly subscription: SubscriptionRow | null;
	readonly startedBy: "REQUEST" | "FREE_PLAN" | "TRIAL_PERIOD" | null;
}

/**
 * Creates a customer, provisions the requested subscription, and the start plan of each other product that has one
 * (docs/interface/customers.md). A start plan that cannot be sold is skipped, so that the catalogue never prevents a
 * new customer. The codes of `provisionCustomer` and `provisionSubscription`.
 */
export function startCustomer(work: Work, input: CustomerProvision, requested?: FirstSubscription): StartedCustomer {
	const customer = provisionCustomer(work, input);
	const asked = requested && provisionSubscription(work, { ...requested, customerId: customer.refId });
	const begun = productsStarting(work)
		.filter(({ id }) => id !== asked?.productId)
		.flatMap((product) => provisionStartPlan(work, customer, product) ?? []);
	const [first] = begun;
	if (asked) return { customer, subscription: asked, startedBy: "REQUEST" };
	return { customer, subscription: first?.subscription ?? null, startedBy: first?.setup ?? null };
}

function provisionStartPlan(work: Work, { refId }: CustomerRow, { settings }: ProductRow) {
	const { subscriptionStartSetup: setup, subscriptionStartPlanId: planId } = settings;
	if (setup === "PLAN_SELECTION" || planId == null) return undefined;
	const plan = packagesByRefs(work, "PLAN", [planId]).get(planId);
	const version = plan && latestVersionsOf(work, [plan.id]).get(plan.id);
	if (!version || !canStart(version, setup)) return undefined;
	// Without a choice by a person, the shorter billing period applies.
	const [billingPeriod] = version.pricingType === "FREE" ? [] : offeredPeriods(chargesOf(work, version.id));
	const subscription = provisionSubscription(work, {
		customerId: refId,
		planId,
		...(billingPeriod && viewBillingPeriod(billingPeriod)),
	});
	return { subscription, setup };
}

/**
 * Removes the customer's default payment method. Throws CustomerNotFound, EntityIsArchivedError; PaymentMethodNotFoundError
 * without one; CannotRemovePaymentMethodFromCustomerError while a paid subscription is charged to it.
 */
export function detachPaymentMethod(work: Work, refId: string): CustomerRow {
	const customer = getCustomer(work, refId);
	assertNotArchived(customer);
	if (customer.defaultPaymentMethod === null)
		throw fail("PaymentMethodNotFoundError", `The customer '${refId}' has no payment method.`);
	const charged = liveSubscriptions(work, customer.id).find(
		({ pricingType, paymentCollectionMethod, payingCustomerId }) =>
			pricingType === "PAID" &&
			paymentCollectionMethod === "CHARGE" &&
			(payingCustomerId ?? defaultPayerId(customer)) === customer.id,
	);
	if (charged)
		throw fail(
			"CannotRemovePaymentMethodFromCustomerError",
			`The subscription '${charged.refId}' is charged to the payment method of '${refId}'; attach another one, or cancel it first.`,
		);
	return clearPaymentMethod(work, customer);
}

/**
 * Archives a customer and ends its free subscriptions (reason CustomerArchived). Throws CustomerNotFound;
 * CannotDeleteCustomerError while it has paid or custom ones, or children (docs/interface/customers.md).
 */
export function archiveCustomer(work: Work, refId: string): CustomerRow {
	const customer = getCustomer(work, refId);
	if (customer.archivedAt !== null) return customer;
	assertHasNoChildren(work, customer);
	runDueSteps(work, customer.id);
	const running = selectRunning(work, [customer.id]);
	const charged = running.find(({ pricingType }) => pricingType !== "FREE");
	if (charged)
		throw fail(
			"CannotDeleteCustomerError",
			`The customer '${refId}' has the ${charged.pricingType} subscription '${charged.refId}'; cancel it first.`,
		);
	for (const row of running) markEnded(work, row, { reason: "CustomerArchived" });
	return markCustomerArchived(work, customer);
}
