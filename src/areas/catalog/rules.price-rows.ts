import type { ProrationMode } from "../../kernel/schema.proration-mode";
import { isFeeInArrears } from "../packages/charges/rules.payment-time";
import type { OveragePricingModel, PackageCharges, PricePeriod, PricingModel } from "../packages/charges/schema";
import { resetOf } from "../packages/rules";
import type { BillingModel, ResetAnchor, ResetPeriod } from "../packages/schema";
import { canonicalPeriod } from "./rules.canonical-prices";

export interface Reset {
	readonly resetPeriod: ResetPeriod | null;
	readonly resetAnchor: ResetAnchor | null;
}

/** A price as the database stores it, with the ids of the document: one row per model, billing period, country and currency. */
export interface PriceRow extends Reset {
	readonly isOverage: boolean;
	readonly billingModel: BillingModel;
	readonly billingCadence: "RECURRING" | "ONE_OFF";
	readonly featureId: string | null;
	/** Overage only. */
	readonly currencyId: string | null;
	readonly topUpCustomCurrencyId: string | null;
	readonly tiersMode: "VOLUME" | "GRADUATED" | null;
	readonly minUnitQuantity: number | null;
	readonly maxUnitQuantity: number | null;
	readonly prorationMode: ProrationMode | null;
	readonly refundsUnusedTime: boolean;
	readonly paymentTime: "IN_ARREARS" | "AT_EVENT" | null;
	/** Null: the default. */
	readonly eventInvoicing: "PERIOD_END" | null;
	readonly key: string | null;
	readonly chargesFlatPriceUnused: boolean;
	readonly usageMeasure: "TIME_WEIGHTED" | "PEAK" | null;
	readonly groupBy: readonly string[];
	readonly taxes: readonly string[] | null;
	readonly period: PricePeriod;
}

/** Returns the rows of a pricing. */
export function rowsOfCharges(charges: PackageCharges): PriceRow[] {
	const { pricingModels = [], overagePricingModels = [], minimumSpend } = charges;
	return [
		...pricingModels.flatMap(modelRows),
		...(minimumSpend ?? []).map(({ minimum, ...period }) => ({
			...blankRow,
			billingModel: "MINIMUM_SPEND" as const,
			period: canonicalPeriod({ ...period, price: minimum }),
		})),
		...overagePricingModels.flatMap(overageRows),
	];
}

/** The values of a row that its model leaves out. */
export const blankRow = {
	isOverage: false,
	billingCadence: "RECURRING",
	featureId: null,
	currencyId: null,
	topUpCustomCurrencyId: null,
	tiersMode: null,
	minUnitQuantity: null,
	maxUnitQuantity: null,
	prorationMode: null,
	refundsUnusedTime: true,
	paymentTime: null,
	eventInvoicing: null,
	resetPeriod: null,
	resetAnchor: null,
	key: null,
	chargesFlatPriceUnused: false,
	usageMeasure: null,
	taxes: null,
	groupBy: [],
} as const satisfies Partial<PriceRow>;

const modelRows = (model: PricingModel): PriceRow[] =>
	model.pricePeriods.map((period) => ({
		...blankRow,
		...resetOf(model),
		billingModel: model.billingModel,
		billingCadence: model.billingCadence ?? "RECURRING",
		featureId: model.featureId ?? null,
		topUpCustomCurrencyId: model.topUpCustomCurrencyId ?? null,
		tiersMode: model.tiersMode ?? null,
		minUnitQuantity: model.minUnitQuantity ?? null,
		maxUnitQuantity: model.maxUnitQuantity ?? null,
		prorationMode: model.prorationMode ?? null,
		refundsUnusedTime: model.refundsUnusedTime ?? true,
		paymentTime: model.paymentTime === "AT_EVENT" ? "AT_EVENT" : isFeeInArrears(model) ? "IN_ARREARS" : null,
		eventInvoicing: model.eventInvoicing === "PERIOD_END" ? "PERIOD_END" : null,
		key: model.key ?? null,
		chargesFlatPriceUnused: model.chargesFlatPriceUnused ?? false,
		usageMeasure: model.usageMeasure === "AS_METERED" ? null : (model.usageMeasure ?? null),
		taxes: model.taxes ?? null,
		groupBy: model.groupBy ?? [],
		period: canonicalPeriod(period),
	}));

const overageRows = (model: OveragePricingModel): PriceRow[] =>
	model.pricePeriods.map((period) => ({
		...blankRow,
		isOverage: true,
		billingModel: model.billingModel,
		featureId: overageFeature(model),
		currencyId: model.currencyId ?? null,
		key: model.key ?? null,
		taxes: model.taxes ?? null,
		period: canonicalPeriod(period),
	}));

export const overageFeature = (model: OveragePricingModel): string | null =>
	model.currencyId === undefined ? (model.featureId ?? model.entitlement?.featureId ?? null) : null;
