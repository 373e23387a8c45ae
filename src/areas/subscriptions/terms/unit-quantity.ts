import type { Work } from "../../../kernel/work";
import { changeable } from "../operations";
import type { ChargeSelection } from "../schema.provision";
import type { SubscriptionUpdate } from "../schema.update";
import { assertSameUnits, onlyUnitPrice } from "./purchased-quantities";
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
