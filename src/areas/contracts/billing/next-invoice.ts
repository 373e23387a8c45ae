import type { Work } from "../../../kernel/work";
import { billingPhase } from "../rules.states";
import { itemsOfEach } from "../store.billing";
import type { ContractRow } from "../table";
import { hasRows, nextInvoices, type PlannedInvoice } from "./rules.schedule";
import { withTaxes } from "./taxed";
import { liveTerms } from "./terms";

/**
 * Returns the next invoice of each live contract that has one, by contract, with the usage so far. A contract under
 * amendment has none.
 */
export function nextInvoicesOf(work: Work, contracts: readonly ContractRow[]): Map<string, PlannedInvoice> {
	const live = contracts.filter((contract) => billingPhase(contract) === "ACTIVE");
	const items = itemsOfEach(
		work,
		live.map(({ id }) => id),
	);
	return new Map(
		live.flatMap((contract) => {
			const priced = withTaxes(work, contract, (items.get(contract.id) ?? []).filter(hasRows));
			const [next] = nextInvoices(priced, liveTerms(work, contract));
			return next ? [[contract.id, next]] : [];
		}),
	);
}
