import type { Work } from "../../../kernel/work";
import { changeable } from "../operations";
import type { ChargeSelection } from "../schema.provision";
import type { SubscriptionUpdate } from "../schema.update";
import { assertSameUnits, onlyUnitPrice } from "./purchased-quantities";
import { saleOf } from "./subscription-sale";

/** An update by a client that does not name the feature of its units. */
export type UpdateWithUnitQuantity = SubscriptionUpdate & { readonly unitQuantity?: number };

/**
 * Resolves `unitQuantity` to the units of the plan's only per-unit price. Throws SubscriptionNotFound; InvalidQuantity if
 * there is no such price, or several, or if `charges` give another quantity.
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
	assertSameUnits(named, unitQuantity);
	return { ...update, charges: named ? charges : [...charges, units] };
}

function onlyUnitOf(work: Work, refId: string): Pick<ChargeSelection, "id" | "type"> {
	const { prices, names } = saleOf(work, changeable(work, refId));
	const { featureId, topUpCurrencyId } = onlyUnitPrice(prices).charge;
	return featureId !== null
		? { id: names.featureRef(featureId), type: "FEATURE" }
		: { id: names.currencyRef(topUpCurrencyId ?? ""), type: "CREDIT" };
}
