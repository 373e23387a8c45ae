import type { Instant } from "../../kernel/clock";
import { type Decimal, isLess, minus, plus, zero } from "../../kernel/decimal";
import type { Period } from "../../kernel/period";
import { convertUnits, type UnitTransformation } from "../pricing/unit-conversion";

/** A budget with its counted usage in one window, in reported units or credits. */
export interface BudgetState {
	readonly assignmentId: string;
	/** The row id and the caller's id of the entity. */
	readonly entityId: string;
	readonly entityRef: string;
	readonly displayName: string | null;
	/** The row ids of the scope's entities. */
	readonly scope: readonly string[];
	/** In the units of the feature's limit. */
	readonly usageLimit: Decimal | null;
	/** Usage continues beyond the limit. */
	readonly hasSoftLimit: boolean;
	/** The unused parts of limits that are allocated to others, in the units of the limit. */
	readonly allocatedToOthers: Decimal;
	readonly window: Period;
	readonly used: Decimal;
	readonly reserved: Decimal;
	/** `budget.exceeded` was emitted in this window. */
	readonly isNoticed: boolean;
	/** When the reserved amount falls without a request. */
	readonly changesAt: Instant | null;
}

/** Usage that budgets decide about. */
export interface Demand {
	/** In reported units, or credits. Null if it is unknown before the use: then any amount below the limit is enough. */
	readonly amount: Decimal | null;
	/** The conversion of reported units into the units of limits. */
	readonly units: UnitTransformation | null;
}

/** A scope applies where all its entities are among those to which the dimensions attribute the usage. An empty one always applies. */
export const appliesTo = (scope: readonly string[], attributed: ReadonlySet<string>): boolean =>
	scope.every((entityId) => attributed.has(entityId));

type Limited = Pick<BudgetState, "usageLimit" | "hasSoftLimit" | "allocatedToOthers" | "used" | "reserved">;

/** Whether a budget allows a demand. A soft limit allows any. Rounds the total into the units of the limit, instead of rounding each amount. */
export function allows(
	{ usageLimit, hasSoftLimit, allocatedToOthers, used, reserved }: Limited,
	{ amount, units }: Demand,
): boolean {
	if (usageLimit === null || hasSoftLimit) return true;
	const before = plus(used, reserved);
	const free = allocatedToOthers === zero ? usageLimit : minus(usageLimit, allocatedToOthers);
	if (amount === null) return isLess(convertUnits(before, units), free);
	return !isLess(free, convertUnits(plus(before, amount), units));
}

/** Returns the part of an allocated limit that is neither used nor reserved, in the units of the limit. */
export function unusedOf(
	{ usageLimit, used, reserved }: Pick<Limited, "usageLimit" | "used" | "reserved">,
	units: UnitTransformation | null,
): Decimal {
	const unused = minus(usageLimit ?? zero, convertUnits(plus(used, reserved), units));
	return unused.startsWith("-") ? zero : unused;
}

/** Returns the usage after an amount. Usage never falls below zero. */
export const usedAfter = (used: Decimal, amount: Decimal): Decimal => {
	const after = plus(used, amount);
	return after.startsWith("-") ? zero : after;
};

/** Returns the limit of a window: an approved request can raise it. */
export const limitOfWindow = (usageLimit: Decimal | null, raised: Decimal | undefined): Decimal | null =>
	usageLimit === null || raised === undefined || raised === zero ? usageLimit : plus(usageLimit, raised);

/** Returns usage over limit, as the tree shows it: 1 for a limit of 0, null without a limit. */
export function utilizationOf(used: Decimal, usageLimit: Decimal | null): number | null {
	if (usageLimit === null) return null;
	return usageLimit === zero ? 1 : Number(used) / Number(usageLimit);
}

/** Returns what a budget still allows, in the units of its limit; null without a limit. */
export const remainingOf = (
	{ usageLimit, allocatedToOthers, used, reserved }: Omit<Limited, "hasSoftLimit">,
	units: UnitTransformation | null,
): Decimal | null =>
	usageLimit === null ? null : minus(usageLimit, plus(convertUnits(plus(used, reserved), units), allocatedToOthers));
