import { type Decimal, exact, zero } from "../../../../kernel/decimal";
import type { PeriodOfCharge } from "../../../billing/rules.billed";
import type { IssuedLine } from "../../../invoices/check/operations.documents";
import { type UsedFreeUnits, usedFreeUnits, useFreeUnits } from "../../../pricing/free-units";
import { unitsCharged } from "../../../pricing/window-cost";

/**
 * Yields free units that the lines of a window count otherwise than its bills: a line begins where the line before it ended, makes
 * the units free that it adds, and no coupon gives more than its terms say. `grantedBy` returns the units of a coupon for the
 * feature.
 */
export function* freeUnitDifferences(
	named: string,
	lines: readonly IssuedLine[],
	{ period: { usageState } }: PeriodOfCharge,
	grantedBy: (couponId: string) => Decimal | undefined,
): Generator<string> {
	const counted = usageState?.freeUnits ?? [];
	const charging = lines.filter(({ line: { basis } }) => basis?.charge && !basis.trueUp);
	if (counted.length === 0 && charging.every(({ line }) => !line.basis?.freeUnits)) return;
	for (const one of counted) yield* excess(named, one, grantedBy);
	for (const alike of Map.groupBy(charging, priceOfLine).values()) {
		let earlier: readonly UsedFreeUnits[] = [];
		for (const { named: document, line } of inOrder(alike)) {
			const { basis } = line;
			if (!basis?.charge) continue;
			const { quantity, billed = zero, freeUnits = [] } = basis;
			const price = { ...basis, charge: { ...basis.charge, minUnitQuantity: null, maxUnitQuantity: null } };
			const added = unitsCharged(price, quantity).minus(unitsCharged(price, billed));
			const expected = useFreeUnits(freeUnits, earlier, added.lt(0) ? exact(0) : added);
			if (textOf(expected) !== textOf(freeUnits))
				yield `${document}: makes ${textOf(freeUnits)} units free, expected ${textOf(expected)}`;
			earlier = usedFreeUnits(freeUnits);
		}
		if (usedText(earlier) !== usedText(counted))
			yield `${named}: ${usedText(counted)} free units count as used, its lines make ${usedText(earlier)}`;
	}
}

function* excess(
	named: string,
	{ couponId, quantity, used }: UsedFreeUnits,
	grantedBy: (couponId: string) => Decimal | undefined,
): Generator<string> {
	const most = grantedBy(couponId) ?? zero;
	if (exact(quantity).gt(exact(most)) || exact(used).gt(exact(quantity)))
		yield `${named}: ${used} of ${quantity} free units count as used, the coupon ${couponId} gives ${most}`;
}

const priceOfLine = ({ line: { basis, addonRefId } }: IssuedLine): string =>
	[addonRefId, basis?.chargeKey, basis?.pricedBy?.packageRefId].join();

/** Returns the lines in the order of their bills. A credit at an end may be split over several notes. */
function inOrder(lines: readonly IssuedLine[]): IssuedLine[] {
	const steps = new Map(lines.map((one) => [[one.line.basis?.billed, one.line.basis?.quantity].join(), one]));
	const placeOf = ({ line: { basis } }: IssuedLine) => exact(basis?.quantity ?? zero);
	return [...steps.values()].sort((one, other) => placeOf(one).cmp(placeOf(other)));
}

const textOf = (units: ReturnType<typeof useFreeUnits>): string =>
	units.map(({ couponId, before, used, quantity }) => `${couponId} ${before} to ${used} of ${quantity}`).join(", ") ||
	"no";

/** Coupons that have made nothing free, which a window without a line names too, do not count. */
const usedText = (units: readonly UsedFreeUnits[]): string =>
	units
		.filter(({ used }) => exact(used).gt(0))
		.map(({ couponId, used }) => `${couponId} ${used}`)
		.sort()
		.join(", ") || "no";
