import { toDecimal, toWire } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { BudgetChange, BudgetDifference, FileBudget } from "./schema";

/** The fields of a budget that a file can change, with their defaults. */
const defaults = {
	...{ parentId: null, usageLimit: null, cadence: "" },
	...{ hasSoftLimit: false, allocated: false },
} as const;
const names = ["parentId", "usageLimit", "cadence", "hasSoftLimit", "allocated"] as const;

/** The fields that identify a budget. */
const placeOf = ({ entityId, featureId, currencyId, scopeEntityIds = [] }: FileBudget) => ({
	entityId,
	...(featureId !== undefined && { featureId }),
	...(currencyId !== undefined && { currencyId }),
	scopeEntityIds: scopeEntityIds.toSorted(),
});

const keyOf = (budget: FileBudget): string => JSON.stringify(placeOf(budget));

/** Returns a field as files have it: equal amounts are equal. */
function fieldOf(budget: FileBudget, name: (typeof names)[number]): string | number | boolean | null {
	const value = budget[name] ?? defaults[name];
	return typeof value === "number" ? toWire(toDecimal(value)) : value;
}

/** Returns a budget without the fields that have their defaults. The same budget always has the same text. */
export const canonicalBudget = (budget: FileBudget): FileBudget => {
	const { scopeEntityIds, ...place } = placeOf(budget);
	return {
		...place,
		...(fieldOf(budget, "parentId") !== null && { parentId: budget.parentId }),
		...(scopeEntityIds.length > 0 && { scopeEntityIds }),
		...{ usageLimit: budget.usageLimit, cadence: budget.cadence },
		...(budget.hasSoftLimit && { hasSoftLimit: true }),
		...(budget.allocated && { allocated: true }),
	};
};

/** Sorts budgets by the fields that identify them. */
export const inFileOrder = (budgets: readonly FileBudget[]): FileBudget[] =>
	budgets.map(canonicalBudget).sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));

/**
 * Returns what changes the current budgets into those of a file. Budgets that the file does not have are kept, because a budget is never
 * deleted. Throws BadUserInput for a budget that the file has twice.
 */
export function diffBudgets(current: readonly FileBudget[], wanted: readonly FileBudget[]): BudgetDifference {
	const before = new Map(current.map((budget) => [keyOf(budget), budget]));
	const places = new Map<string, number>();
	const changes = wanted.flatMap((budget, index): BudgetChange[] => {
		const key = keyOf(budget);
		const other = places.get(key);
		if (other !== undefined)
			throw fail(
				"BadUserInput",
				`body/budgets/${index}: has the entity, capability and scope of body/budgets/${other}; write each budget once.`,
			);
		places.set(key, index);
		const old = before.get(key);
		const fields = names.flatMap((name) => {
			const after = fieldOf(budget, name);
			if (!old) return { name, after };
			return fieldOf(old, name) === after ? [] : { name, before: fieldOf(old, name), after };
		});
		return fields.length === 0 ? [] : [{ action: old ? "change" : "add", index, ...placeOf(budget), fields }];
	});
	return { changes, kept: current.filter((budget) => !places.has(keyOf(budget))).map(placeOf) };
}
