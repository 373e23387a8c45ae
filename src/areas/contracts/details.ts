import { assert } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { surroundingsOf } from "./operations";
import type { Contract } from "./schema.shown";
import type { StatedContract } from "./store";
import { viewContract } from "./view";

export const shown = (work: Work, contract: StatedContract): Contract => shownBy(work, [contract])(contract);

/** Shows a page of contracts; their customers, subscriptions and invoices are read in a fixed number of queries. */
export function shownBy(work: Work, contracts: readonly StatedContract[]): (contract: StatedContract) => Contract {
	const surroundings = surroundingsOf(work, contracts);
	return (contract) => {
		const found = surroundings.get(contract.id);
		assert(found, "a contract has surroundings");
		return viewContract(contract, found);
	};
}
