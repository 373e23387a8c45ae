import { exact } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { changeable } from "../operations";
import type { ChargeSelection } from "../schema.provision";
import type { SubscriptionUpdate } from "../schema.update";
import { saleOf } from "./subscription-sale";

/** An update in the words of clients that do not name what the units are of. */
export type UpdateWithUnitQuantity = SubscriptionUpdate & { readonly unitQuantity?: number };

/**
 * The update that it stands for: the units are those of the plan's only price by the unit. SubscriptionNotFound;
 * InvalidQuantity where there is no such price or several, or where `charges` say otherwise.
 */
export function resolveUnitQuantity(
	work: Work,
	refId: string,
	{ unitQuantity, ...update }: UpdateWithUnitQuantity,
): SubscriptionUpdate {
	if (unitQuantity === undefined) return update;
	const { charges = [] } = update;
	const units = { ...onlyUnitOf(work, refId), quantity: unitQuantity };
	const named = charges.find(({ id, type }) => id === units.id && type === units.type);
	if (named && !exact(named.quantity).eq(unitQuantity))
		throw fail("InvalidQuantity", "'unitQuantity' and 'charges' give different quantities; give one of them.");
	return { ...update, charges: named ? charges : [...charges, units] };
}

function onlyUnitOf(work: Work, refId: string): Pick<ChargeSelection, "id" | "type"> {
	const { prices, names } = saleOf(work, changeable(work, refId));
	const [single, ...others] = prices.filter(
		({ charge, package: sold }) => charge.billingModel === "PER_UNIT" && !charge.isOverage && !sold.isAddon,
	);
	if (!single || others.length > 0)
		throw fail(
			"InvalidQuantity",
			"'unitQuantity' is for plans with exactly one per-unit price; use 'charges' instead.",
		);
	const { featureId, topUpCurrencyId } = single.charge;
	return featureId !== null
		? { id: names.featureRef(featureId), type: "FEATURE" }
		: { id: names.currencyRef(topUpCurrencyId ?? ""), type: "CREDIT" };
}
