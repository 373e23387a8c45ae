import type { Instant } from "../../kernel/clock";
import { type Decimal, exact } from "../../kernel/decimal";
import { addUnits, type CalendarUnit } from "../../kernel/period";
import { type ContractRow as PricedRow, rateRows, rateUsageRows } from "../pricing/contract-rows";
import { sumTotals, type Totals, totalLines } from "../pricing/totals";
import { type PricingModelId, pricingModel } from "./rules.models";
import type { BillingCycleUnit } from "./schema";

/** What the totals read of a line item. */
export interface RatedItem {
	readonly id: string;
	readonly name: string;
	readonly pricingModelId: PricingModelId;
	readonly rows: readonly PricedRow[];
	readonly billingCycleUnit: BillingCycleUnit;
	readonly billingCycleCount: number;
	readonly discount: Decimal | null;
	readonly tax: Decimal | null;
	readonly netTerms: number | null;
	readonly currency: string;
	readonly legalEntityId: string;
	readonly paymentAccountId: string;
	readonly activationStartAt: Instant | null;
	readonly activationEndAt: Instant | null;
}

/** What holds where there are no lines, or, for the two ids, where the lines differ. */
export type DefaultTerms = Pick<
	RatedItem,
	"currency" | "legalEntityId" | "paymentAccountId" | "activationStartAt" | "activationEndAt"
>;

export interface ItemTotals extends Totals {
	readonly itemId: string;
	readonly name: string;
}

/**
 * Source: interface, Contract totals. A term on which the lines differ is null, but for the two ids
 * (docs/interface/contracts.md).
 */
export interface TermTotals extends Totals, DefaultTerms {
	readonly items: readonly ItemTotals[];
	readonly netTerms: number | null;
}

/**
 * The whole term's figures: each line rounded once, the totals the sums of the lines. Source:
 * docs/interface/contracts.md and Money.
 */
export function termTotals(lines: readonly RatedItem[], defaults: DefaultTerms): TermTotals {
	const items = lines.map(itemTotals);
	const [first] = lines;
	const issuer = {
		legalEntityId: agreed(lines, "legalEntityId"),
		paymentAccountId: agreed(lines, "paymentAccountId"),
	};
	const { legalEntityId, paymentAccountId } = issuer.legalEntityId && issuer.paymentAccountId ? issuer : defaults;
	return {
		...sumTotals(items),
		items,
		currency: first?.currency ?? defaults.currency,
		activationStartAt: first ? agreed(lines, "activationStartAt") : defaults.activationStartAt,
		activationEndAt: first ? agreed(lines, "activationEndAt") : defaults.activationEndAt,
		netTerms: agreed(lines, "netTerms"),
		legalEntityId: legalEntityId ?? defaults.legalEntityId,
		paymentAccountId: paymentAccountId ?? defaults.paymentAccountId,
	};
}

/** One line over the whole term: its rows once for each cycle, less its discount, plus tax on what remains. */
export function itemTotals(item: RatedItem): ItemTotals {
	const { id, name, rows, discount, tax, currency } = item;
	const { rowModel, isPayAsYouGo } = pricingModel(item.pricingModelId);
	const eachCycle = isPayAsYouGo ? rateUsageRows(rows) : rateRows(rowModel, rows);
	const {
		subTotal,
		discount: taken,
		tax: added,
		total,
	} = totalLines([{ amount: eachCycle.times(cyclesOf(item)) }], {
		currency,
		coupon: discount === null ? null : { percentOff: discount, amountsOff: null },
		taxPercentage: tax,
	});
	return { itemId: id, name, subTotal, discount: taken, tax: added, total };
}

const cycleSteps: Record<
	Exclude<BillingCycleUnit, "one_time">,
	{ unit: CalendarUnit; step: number; daysMin: number }
> = {
	weekly: { unit: "weeks", step: 1, daysMin: 7 },
	monthly: { unit: "months", step: 1, daysMin: 28 },
	quarterly: { unit: "months", step: 3, daysMin: 89 },
	yearly: { unit: "years", step: 1, daysMin: 365 },
};

const dayMs = 24 * 60 * 60 * 1000;

/**
 * How many cycles begin within the activation window; one that the window cuts short counts whole, as it is billed whole.
 * An end on the last day (31 December) and one on the day after so give the same number. `one_time`, and a window without
 * both ends, count once. Source: docs/interface/contracts.md; the treatment of a cut cycle is our choice.
 */
export function cyclesOf({
	billingCycleUnit,
	billingCycleCount,
	activationStartAt: start,
	activationEndAt: end,
}: Pick<RatedItem, "billingCycleUnit" | "billingCycleCount" | "activationStartAt" | "activationEndAt">): number {
	if (billingCycleUnit === "one_time" || start === null || end === null) return 1;
	const { unit, step, daysMin } = cycleSteps[billingCycleUnit];
	const begin = (cycle: number): Instant => addUnits(start, unit, cycle * step * billingCycleCount);
	// The first cycle that begins at or after the end, by bisection: a cycle is never shorter than `daysMin` days.
	let low = 1;
	let high = Math.max(1, Math.ceil((end - start) / (daysMin * billingCycleCount * dayMs)));
	while (low < high) {
		const middle = Math.floor((low + high) / 2);
		if (begin(middle) >= end) high = middle;
		else low = middle + 1;
	}
	return low;
}

/** Beyond this a JSON number no longer holds every cent. Our choice. */
const totalMax = 9e13;

export const isRepresentable = ({ items, ...sums }: TermTotals): boolean =>
	[...items, sums].every(({ subTotal, total }) => exact(subTotal).lte(totalMax) && exact(total).lte(totalMax));

/** The value that all lines share; null where they differ or there are none. */
function agreed<Key extends keyof RatedItem>(lines: readonly RatedItem[], key: Key): RatedItem[Key] | null {
	const [first, ...rest] = lines.map((line) => line[key]);
	return first !== undefined && rest.every((value) => value === first) ? first : null;
}
