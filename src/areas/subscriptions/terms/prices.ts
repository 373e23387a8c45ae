import type { BillingModel, BillingPeriod } from "../../packages/schema";
import { chargesFor, type OfferedCharge } from "../../pricing/price-choice";

/** What the terms of a sale are calculated from; a version of packages, or an addon with its quantity, has all of it. */
export interface SoldPackage<Charge extends OfferedCharge> {
	readonly refId: string;
	readonly displayName: string;
	/** How many are held; a plan is always one. */
	readonly quantity: number;
	readonly isAddon: boolean;
	readonly versionNumber: number;
	readonly charges: readonly Charge[];
}

/** One price that holds for a subscription: which package it belongs to, and the charge after any override. */
export interface EffectivePrice<Charge extends OfferedCharge = OfferedCharge> {
	readonly charge: Charge;
	/** It is the subscription's own, in place of the catalogue's. */
	readonly isOwn?: true;
	readonly package: Pick<SoldPackage<Charge>, "refId" | "displayName" | "quantity" | "isAddon" | "versionNumber">;
}

/** The caller's own ids of what charges refer to by row id, and the names that invoices print. */
export interface Names {
	readonly featureRef: (featureId: string) => string;
	readonly currencyRef: (currencyId: string) => string;
	readonly featureName: (featureId: string) => string;
	/** In the plural; null where the feature says nothing of it. */
	readonly featureUnits: (featureId: string) => string | null;
	readonly currencyName: (currencyId: string) => string;
}

/** The prices of a plan and its addons for one billing period and country. */
export const pricesFor = <Charge extends OfferedCharge>(
	packages: readonly SoldPackage<Charge>[],
	billingPeriod: BillingPeriod,
	billingCountryCode: string | null,
): EffectivePrice<Charge>[] =>
	packages.flatMap(({ charges, ...sold }) =>
		chargesFor(charges, billingPeriod, billingCountryCode).map((charge) => ({ charge, package: sold })),
	);

/** What is paid in advance, at the beginning of each period. Source: docs/interface/subscriptions.md. */
const inAdvance: ReadonlySet<BillingModel> = new Set(["FLAT_FEE", "PER_UNIT"]);
export const isInAdvance = ({ charge }: EffectivePrice): boolean =>
	inAdvance.has(charge.billingModel) && !charge.isOverage;
/** What is sold by the unit. */
export const countsUnits = (price: EffectivePrice): boolean =>
	isInAdvance(price) && price.charge.billingModel === "PER_UNIT";
