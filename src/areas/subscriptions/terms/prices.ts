import type { Decimal } from "../../../kernel/decimal";
import type { ProrationMode } from "../../../kernel/schema.proration-mode";
import type { BillingModel } from "../../packages/schema";
import { chargesFor, type OfferedCharge } from "../../pricing/choice/price";
import type { BillingPeriod } from "../../pricing/rules.billing-period";
import type { Phase } from "../../pricing/rules.phases";
import type { AppliedTax } from "../../pricing/tax";

/** A sold version with its quantity and charges. */
export interface SoldPackage<Charge extends OfferedCharge> {
	readonly refId: string;
	readonly displayName: string;
	/** A plan always has quantity 1. */
	readonly quantity: number;
	readonly isAddon: boolean;
	readonly versionNumber: number;
	readonly prorationMode?: ProrationMode | null;
	/** The ids of its taxes; null: it inherits them. */
	readonly taxes: readonly string[] | null;
	readonly charges: readonly Charge[];
}

/** A price that applies to a subscription: its package, and the charge after overrides. */
export interface EffectivePrice<Charge extends OfferedCharge = OfferedCharge> {
	readonly charge: Charge;
	/** The subscription's own price, in place of the catalogue's. */
	readonly isOwn?: true;
	/** The phase that has lowered it, or whose own price it is. */
	readonly phase?: Phase;
	/** The percentage by which renewals of the term have increased it. */
	readonly uplift?: Decimal;
	readonly package: Omit<SoldPackage<Charge>, "charges">;
}

/** The caller's ids of features and currencies by row id, and the names that invoices print. */
export interface Names {
	readonly featureRef: (featureId: string) => string;
	readonly currencyRef: (currencyId: string) => string;
	readonly featureName: (featureId: string) => string;
	/** In the plural; null if the feature does not name its units. */
	readonly featureUnits: (featureId: string) => string | null;
	readonly currencyName: (currencyId: string) => string;
	readonly taxes: (refIds: readonly string[]) => readonly AppliedTax[];
}

/** Returns the prices of a plan and its addons for one billing period, country and currency (null: they leave no choice). */
export const pricesFor = <Charge extends OfferedCharge>(
	packages: readonly SoldPackage<Charge>[],
	billingPeriod: BillingPeriod,
	billingCountryCode: string | null,
	billingCurrency: string | null = null,
): EffectivePrice<Charge>[] =>
	packages.flatMap(({ charges, ...sold }) =>
		chargesFor(charges, billingPeriod, billingCountryCode, billingCurrency).map((charge) => ({
			charge,
			package: sold,
		})),
	);

const fees: ReadonlySet<BillingModel> = new Set(["FLAT_FEE", "PER_UNIT"]);

/** Whether a price is a fee or for units, which Tollgate charges whatever the usage is. */
export const isFee = ({ charge }: EffectivePrice): boolean => fees.has(charge.billingModel) && !charge.isOverage;
/** Whether the end of each period charges a fee. By default its start does (docs/interface/subscriptions.md). */
export const isInArrears = ({ charge }: EffectivePrice): boolean => charge.paymentTime === "IN_ARREARS";
/** Whether each event charges a price, and is invoiced at once. */
export const isInvoicedAtEvent = ({ charge }: EffectivePrice): boolean =>
	charge.priceTerms?.eventInvoicing === "EACH_EVENT";
/** Whether a price is charged by the unit. */
export const countsUnits = (price: EffectivePrice): boolean => isFee(price) && price.charge.billingModel === "PER_UNIT";
