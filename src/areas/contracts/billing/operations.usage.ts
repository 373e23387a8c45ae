import type { Decimal } from "../../../kernel/decimal";
import type { Period } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { findFeature } from "../../features/operations";
import { getContract } from "../operations";
import { nextPhase } from "../rules.states";
import { selectItems } from "../store.billing";
import type { ContractItemRow } from "../table";
import { unbilled } from "./rules.cycles";
import { isPayAsYouGo } from "./rules.schedule";
import { meteredBy, quantityIn } from "./usage";

/** The usage of a pay-as-you-go item in the first of its cycles that is not invoiced. */
interface ReadUsage {
	readonly item: ContractItemRow;
	readonly cycle: Period;
	/** In priced units. */
	readonly quantity: Decimal;
}

export interface UsageOfContract {
	readonly reported: readonly ReadUsage[];
	/** Items whose features are no longer metered. */
	readonly failed: readonly ContractItemRow[];
	/** Items without a started cycle that is not invoiced. */
	readonly skipped: readonly ContractItemRow[];
}

/**
 * Returns the counted usage of a contract. Usage needs no push to be invoiced: due invoices read the same meters.
 * ContractNotFound, and the codes of the table of states.
 */
export function readUsage(work: Work, refId: string): UsageOfContract {
	const contract = getContract(work, refId);
	nextPhase(contract, "refreshUsage");
	const reported: ReadUsage[] = [];
	const failed: ContractItemRow[] = [];
	const skipped: ContractItemRow[] = [];
	for (const item of selectItems(work, contract).filter(isPayAsYouGo)) {
		const { count, at } = unbilled(item, work.now);
		const cycle = count === 0 ? undefined : at(0);
		if (!cycle || cycle.start > work.now) skipped.push(item);
		else if (!isMetered(work, item)) failed.push(item);
		else reported.push({ item, cycle, quantity: quantityIn(work, meteredBy(work, contract, item), cycle) });
	}
	return { reported, failed, skipped };
}

function isMetered(work: Work, { itemName }: ContractItemRow): boolean {
	const feature = itemName === null ? undefined : findFeature(work, itemName);
	return feature !== undefined && feature.meterType !== "None";
}
