import { couponsByIds, listCoupons } from "../../../src/areas/coupons/operations";
import { featuresByIds } from "../../../src/areas/features/operations";
import { chargesOf, entitlementsOf, getPublishedVersion } from "../../../src/areas/packages/operations";
import type { ChargeRow } from "../../../src/areas/packages/table";
import { chargesFor, currencyOf } from "../../../src/areas/pricing/choice/price";
import { type ChargeItem, rateInvoice } from "../../../src/areas/pricing/rate";
import type { BillingPeriod } from "../../../src/areas/pricing/rules.billing-period";
import { toDecimal, toWire } from "../../../src/kernel/decimal";
import type { Work } from "../../../src/kernel/work";
import type { World } from "../../support/world";

/** The purchases and usage of a customer in one period. */
export interface Basket {
	readonly planId: string;
	readonly billingPeriod?: BillingPeriod;
	readonly country?: string;
	/** Addon → how many. */
	readonly addons?: Readonly<Record<string, number>>;
	/** Feature, or the currency of a top-up → units bought or used (as reported). */
	readonly units?: Readonly<Record<string, number>>;
	readonly couponId?: string;
	/** The minimum spend was charged in advance, so this period's usage draws on it. */
	readonly drawsOnMinimum?: boolean;
}

/** `[what, quantity, amount]`; the quantity is null for a minimum spend. */
export type QuotedLine = readonly [string, number | null, number];

/** Calculates the totals of the published catalogue with the pricing area alone: nothing is stored. */
export const quote = (ours: World, basket: Basket) =>
	ours.transactions.read(ours.actor, (work) => {
		const { planId, billingPeriod = "MONTHLY", country = null, addons = {}, drawsOnMinimum = false } = basket;
		const packages = [
			{ kind: "PLAN" as const, id: planId, quantity: 1 },
			...Object.entries(addons).map(([id, quantity]) => ({ kind: "ADDON" as const, id, quantity })),
		];
		const chosen = packages.flatMap(({ kind, id, quantity }) => {
			const version = getPublishedVersion(work, kind, id);
			return chargesFor(chargesOf(work, version.id), billingPeriod, country).map((charge) => ({
				charge,
				id,
				quantity,
			}));
		});
		const minimum = chosen.find(({ charge }) => charge.billingModel === "MINIMUM_SPEND")?.charge.price;
		const { currency, lines, discount, total } = rateInvoice({
			currency: currencyOf(chosen.map(({ charge }) => charge)) ?? "usd",
			coupon: couponOf(work, basket.couponId),
			items: chosen.flatMap(({ charge, id, quantity }) => itemsOf(work, charge, id, quantity, basket)),
			...(drawsOnMinimum &&
				minimum && { minimumSpendPaid: { amount: minimum.amount, description: "minimum drawn on" } }),
		});
		return {
			currency,
			lines: lines.map(
				(line): QuotedLine => [
					line.description,
					line.quantity === null ? null : toWire(line.quantity),
					toWire(line.amount),
				],
			),
			...(toWire(discount) !== 0 && { discount: toWire(discount) }),
			total: toWire(total),
		};
	});

function itemsOf(
	work: Work,
	charge: ChargeRow,
	packageId: string,
	held: number,
	{ planId, units = {}, drawsOnMinimum }: Basket,
): ChargeItem[] {
	const feature = charge.featureId === null ? undefined : featuresByIds(work, [charge.featureId]).get(charge.featureId);
	const named = feature?.refId ?? (charge.topUpCurrencyId || charge.overageCurrencyId ? "sparks" : packageId);
	if (charge.billingModel === "MINIMUM_SPEND" && drawsOnMinimum) return [];
	if (charge.billingModel === "FLAT_FEE" || charge.billingModel === "MINIMUM_SPEND")
		return [{ charge, quantity: toDecimal(held), description: packageId, isAddon: packageId !== planId }];
	const asked = units[charge.isOverage ? `${named} used` : named];
	if (asked === undefined) return [];
	const limit = charge.isOverage ? limitOf(work, charge) : undefined;
	return [
		{
			charge,
			quantity: toDecimal(asked),
			description: charge.isOverage ? `${named} beyond` : named,
			unitTransformation: feature?.unitTransformation ?? null,
			...(limit !== undefined && { limit }),
		},
	];
}

function limitOf(work: Work, { versionId, featureId, overageCurrencyId }: ChargeRow) {
	const granted = entitlementsOf(work, versionId).find(
		(row) =>
			(featureId !== null && row.featureId === featureId) ||
			(overageCurrencyId !== null && row.currencyId === overageCurrencyId),
	);
	return granted?.usageLimit ?? granted?.amount ?? null;
}

function couponOf(work: Work, id: string | undefined) {
	if (id === undefined) return null;
	const [found] = listCoupons(work, { id }).rows;
	return (found && couponsByIds(work, [found.id]).get(found.id)) ?? null;
}
