import { toWire, toWireOrNull, zero } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import type { GovernanceChainNode } from "../../entitlement-sources/schema";
import { convertUnits } from "../../pricing/unit-conversion";
import type { BudgetDecision } from "../operations.decide";
import { entitiesByIds } from "../operations.entities";

/** Returns the chains of a decision as a check shows them. */
export function shownChains(work: Work, { chains }: BudgetDecision): GovernanceChainNode[][] {
	const refOf = scopeRefs(work, { chains });
	return chains.map((chain) =>
		chain.map(({ entityRef, scope, usageLimit, used, reserved, units, isGranted }) => ({
			entityId: entityRef,
			scopeEntityIds: scope.map(refOf).sort(),
			usageLimit: toWireOrNull(usageLimit),
			currentUsage: toWire(convertUnits(used, units)),
			...(reserved !== zero && { reservedUsage: toWire(convertUnits(reserved, units)) }),
			isGranted,
		})),
	);
}

/** Returns a function for the callers' ids of the entities in scopes. */
export function scopeRefs(work: Work, { chains }: Pick<BudgetDecision, "chains">): (entityId: string) => string {
	const entities = entitiesByIds(
		work,
		chains.flat().flatMap(({ scope }) => scope),
	);
	return (entityId) => entities.get(entityId)?.refId ?? "";
}
