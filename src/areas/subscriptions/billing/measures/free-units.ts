import type { Instant } from "../../../../kernel/clock";
import { type Decimal, exact, sum, toDecimal, zero } from "../../../../kernel/decimal";
import type { Period } from "../../../../kernel/period";
import { type Work, workAt } from "../../../../kernel/work";
import { periodsFrom } from "../../../billing/operations";
import type { CouponRow } from "../../../coupons/table";
import type { FeatureRow } from "../../../features/table";
import { type FreeGrant, type FreeUnits, type UsedFreeUnits, useFreeUnits } from "../../../pricing/free-units";
import type { PricedCharge } from "../../../pricing/models/charge";
import { countsUnits, unitsCharged, type WindowPrice } from "../../../pricing/window-cost";
import { selectByIds } from "../../store";
import type { SubscriptionRow } from "../../table";
import { activeDiscounts, partiesOf } from "../payer";

/** A window of usage, or the part of it that a bill counts. */
export interface PartOfWindow extends Period {
	readonly whole: Period;
}

/** Predecessors of a subscription that can have billed a part of the same window. */
const predecessorsMax = 50;

/**
 * Returns the units of a window of a price that coupons make free, by the coupons that apply at its last instant. Where a change has
 * cut the window, they are those that its other parts have not used. Prices that do not count units have none.
 */
export function freeUnitsOf(
	work: Work,
	row: SubscriptionRow,
): (feature: FeatureRow, charge: PricedCharge, key: string) => (window: PartOfWindow) => readonly FreeGrant[] {
	const couponsAt = memoized((at: Instant) => {
		const { coupon, coupons } = activeDiscounts(workAt(work, at), row, partiesOf(work, row).customer);
		return (coupons?.map((applied) => applied.coupon) ?? (coupon ? [coupon] : [])).filter((one) => one.freeUnits);
	});
	return (feature, charge, key) => (window) => {
		if (!countsUnits(charge)) return [];
		const grants = couponsAt((window.end - 1) as Instant).flatMap((coupon) => grantOf(coupon, feature) ?? []);
		return grants.length === 0 ? grants : unusedGrants(grants, usedByOthers(work, row, key, window));
	};
}

/** Returns the free units that other parts of a window have used: earlier ones, and those of replaced subscriptions. */
function usedByOthers(work: Work, row: SubscriptionRow, key: string, { start, whole }: PartOfWindow): UsedFreeUnits[] {
	const partsOf = ({ id }: SubscriptionRow) => [
		...new Map(periodsFrom(work, id, key, whole.start).map(({ period }) => [period.startsAt, period])).values(),
	];
	const own = start > whole.start ? partsOf(row).filter(({ startsAt }) => startsAt < start) : [];
	const others: SubscriptionRow[] = [];
	for (let at: SubscriptionRow | undefined = row; at?.replacesId != null && others.length < predecessorsMax; ) {
		[at] = selectByIds(work, [at.replacesId]);
		if (!at || (at.endedAt !== null && at.endedAt <= whole.start)) break;
		others.push(at);
	}
	return [...own, ...others.flatMap(partsOf)].flatMap(({ usageState }) => usageState?.freeUnits ?? []);
}

const unusedGrants = (grants: readonly FreeGrant[], used: readonly UsedFreeUnits[]): FreeGrant[] =>
	grants.flatMap((grant) => {
		const own = used.filter(({ couponId }) => couponId === grant.couponId);
		const left = exact(grant.quantity).minus(sum(own.map((one) => exact(one.used))));
		return left.gt(0) ? [{ ...grant, quantity: toDecimal(left) }] : [];
	});

function grantOf({ refId, name, freeUnits }: CouponRow, feature: FeatureRow): FreeGrant | undefined {
	const own = freeUnits?.find(({ featureId }) => featureId === feature.refId);
	return own && { couponId: refId, name, quantity: own.quantity };
}

function memoized<Value>(load: (at: Instant) => Value): (at: Instant) => Value {
	const known = new Map<Instant, Value>();
	return (at) => {
		const value = known.get(at) ?? load(at);
		known.set(at, value);
		return value;
	};
}

/** The bills of a window so far. */
interface BilledUnits {
	readonly earlier?: readonly UsedFreeUnits[] | undefined;
	readonly billed?: Decimal;
	/** The next part of the window takes the units over that this one has left. */
	readonly isPassedOn?: boolean;
}

/** Returns the free units of a window with this usage; nothing where no coupon makes units free. */
export function freeUnitsIn(
	grants: readonly FreeGrant[],
	price: WindowPrice,
	usage: Decimal,
	{ earlier = [], billed = zero, isPassedOn = false }: BilledUnits = {},
): { readonly freeUnits?: readonly FreeUnits[] } {
	if (grants.length === 0 && earlier.length === 0) return {};
	const added = unitsCharged(price, usage).minus(unitsCharged(price, billed));
	const units = useFreeUnits(grants, earlier, added.lt(0) ? exact(0) : added);
	return { freeUnits: isPassedOn ? units.map((one) => ({ ...one, quantity: one.used })) : units };
}
