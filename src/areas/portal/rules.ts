import { fail } from "../../kernel/errors";
import type { Address, TaxId } from "../../kernel/schema";
import type { CustomerRow } from "../customers/table";
import { assertTaxIds } from "../legal-entities/rules";
import { requestedPeriod } from "../pricing/requested-period";
import type { ProductSettings } from "../products/schema";
import type { SubscriptionRow } from "../subscriptions/table";
import type { BillingUpdate, PortalBilling, PortalChange, PortalSettings } from "./schema";

export const portalPermissions = ["changePlan", "changeQuantities", "changeAddons", "cancel"] as const;

/**
 * Our choice (docs/interface/customers.md#portal-and-checkout): customers may make all changes unless the seller
 * forbids them.
 */
export const settingsDefault: PortalSettings = {
	changePlan: true,
	changeQuantities: true,
	changeAddons: true,
	cancel: true,
};

const nothing: PortalSettings = { changePlan: false, changeQuantities: false, changeAddons: false, cancel: false };

/**
 * Returns the changes that a customer may make to a subscription. None are allowed if it is negotiated, paid by another customer,
 * or not started. A pending cancellation by the seller forbids another plan, because that would continue the subscription.
 */
export function allowedOf(
	{ row, isOwn }: { readonly row: SubscriptionRow; readonly isOwn: boolean },
	settings: PortalSettings,
): PortalSettings {
	const { status, pricingType, contractRefId } = row;
	const isNegotiated = pricingType === "CUSTOM" || contractRefId !== null;
	if (!isOwn || isNegotiated || (status !== "ACTIVE" && status !== "IN_TRIAL")) return nothing;
	return isEndedBySeller(row) ? { ...settings, changePlan: false, cancel: false } : settings;
}

type Cancellation = Pick<SubscriptionRow, "cancelAt" | "canceledByCustomer">;

const isEndedBySeller = ({ cancelAt, canceledByCustomer }: Cancellation): boolean =>
	cancelAt !== null && !canceledByCustomer;

/** Throws AccessDeniedError unless the customer made the cancellation itself. */
export function assertMayKeep(row: Cancellation): void {
	if (isEndedBySeller(row))
		throw fail(
			"AccessDeniedError",
			"The seller has canceled this subscription, so you cannot keep it here; please ask the seller.",
		);
}

const wordsOf: Readonly<Record<keyof PortalSettings, string>> = {
	changePlan: "have its plan or billing period changed",
	changeQuantities: "have its quantities changed",
	changeAddons: "have its addons changed",
	cancel: "be cancelled",
};

/** Throws AccessDeniedError, which names the forbidden change. */
export function assertMay(allowed: PortalSettings, change: keyof PortalSettings): void {
	if (!allowed[change])
		throw fail("AccessDeniedError", `This subscription cannot ${wordsOf[change]} here; please ask the seller.`);
}

/** The current terms of a subscription, which a change is compared with. */
export interface CurrentTerms {
	readonly planId: string;
	readonly billingPeriod: SubscriptionRow["billingPeriod"];
	readonly quantities: ReadonlyArray<{ readonly featureId: string; readonly quantity: number }>;
	readonly addons: ReadonlyArray<{ readonly id: string; readonly quantity: number }>;
}

/** Returns the permissions that a change needs. Values equal to the current ones need none. */
export function changesIn(change: PortalChange, current: CurrentTerms): Array<keyof PortalSettings> {
	const isOther = (sent: Readonly<Record<string, number>> | undefined, has: Readonly<Record<string, number>>) =>
		sent !== undefined &&
		[...new Set([...Object.keys(sent), ...Object.keys(has)])].some((id) => (sent[id] ?? 0) !== (has[id] ?? 0));
	const isOtherPlan = change.planId !== undefined && change.planId !== current.planId;
	const period = requestedPeriod(change, "body");
	const isOtherPeriod = period !== undefined && period !== current.billingPeriod;
	const quantities = change.quantities?.filter(
		// Units that only the other plan sells are part of choosing it.
		({ featureId }) => !isOtherPlan || current.quantities.some((one) => one.featureId === featureId),
	);
	return [
		...(isOtherPlan || isOtherPeriod ? (["changePlan"] as const) : []),
		...(quantities?.some(({ featureId, quantity }) => quantityOf(current, featureId) !== quantity)
			? (["changeQuantities"] as const)
			: []),
		...(isOther(change.addons && byId(change.addons), byId(current.addons)) ? (["changeAddons"] as const) : []),
	];
}

const quantityOf = ({ quantities }: CurrentTerms, id: string): number | undefined =>
	quantities.find(({ featureId }) => featureId === id)?.quantity;

const byId = (addons: CurrentTerms["addons"]): Readonly<Record<string, number>> =>
	Object.fromEntries(addons.map(({ id, quantity }) => [id, quantity]));

/** The offer differs from the one that the page has shown. */
export const offerChanged = () =>
	fail("InvalidArgumentError", "The price has changed since it was shown; review the new price and confirm again.");

export function billingOf({ name, email, passthrough }: CustomerRow): PortalBilling {
	const { stripe, zuora } = passthrough ?? {};
	return {
		name: stripe?.customerName ?? name,
		email,
		address: stripe?.billingAddress ?? zuora?.billingAddress ?? null,
		taxIds: [...(stripe?.taxIds ?? [])],
	};
}

/** Returns the customer's columns with its new billing details. Throws InvalidAddressError, InvalidTaxId. */
export function withBilling({ passthrough }: CustomerRow, { name, email, address, taxIds }: BillingUpdate) {
	if (address) assertAddress(address);
	if (taxIds) assertCustomersTaxIds(taxIds);
	const { billingAddress, customerName, ...stripe } = passthrough?.stripe ?? {};
	const nextAddress = address === undefined ? billingAddress : (address ?? undefined);
	// A separate name for invoices would hide the new name.
	const nextName = name === undefined ? customerName : undefined;
	return {
		...(name !== undefined && { name }),
		...(email !== undefined && { email }),
		passthrough: {
			...passthrough,
			stripe: {
				...stripe,
				...(nextAddress && { billingAddress: nextAddress }),
				...(nextName !== undefined && { customerName: nextName }),
				...(taxIds && { taxIds }),
			},
		},
	};
}

/** The country is a code, because prices and taxes depend on it. */
export function assertAddress({ country }: Address): void {
	if (country !== undefined && !/^[A-Z]{2}$/.test(country))
		throw fail("InvalidAddressError", "'country' must be a two-letter code, such as DE or US.");
}

/** Asserts that an invoice can be addressed. */
export function assertCompleteAddress(address: Address | undefined): void {
	const missing = (["country", "line1", "city"] as const).find((part) => !address?.[part]?.trim());
	if (missing) throw fail("InvalidAddressError", `The billing address needs '${missing}'.`);
}

/** Tax numbers of all countries consist of letters, digits and separators. */
function assertCustomersTaxIds(taxIds: readonly TaxId[]): void {
	assertTaxIds(taxIds);
	const wrong = taxIds.find(({ value }) => !/^[A-Z0-9][A-Z0-9 ./+*-]{3,29}$/i.test(value));
	if (wrong)
		throw fail(
			"InvalidTaxId",
			`'${wrong.value}' is not a tax number; it must have letters and digits, such as DE136695976.`,
		);
}

/** Returns when a cancellation by the customer takes effect. Customers cannot choose a date. */
export function cancellationTimeOf(
	{ status, pricingType, runningTerm }: Pick<SubscriptionRow, "status" | "pricingType" | "runningTerm">,
	{ subscriptionCancellationTime }: Pick<ProductSettings, "subscriptionCancellationTime">,
): "NOW" | "END_OF_BILLING_PERIOD" {
	const hasPeriod = status === "ACTIVE" && pricingType === "PAID";
	// A term that binds is ended like a billing period.
	if (runningTerm?.agreed.earlyCancellation === "AT_TERM_END") return "END_OF_BILLING_PERIOD";
	return hasPeriod && subscriptionCancellationTime !== "IMMEDIATE" ? "END_OF_BILLING_PERIOD" : "NOW";
}
