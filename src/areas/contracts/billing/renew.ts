import { toIso } from "../../../kernel/clock";
import { assert, rejectBilling } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { assertSchedulable, itemsMax } from "../rules";
import { changeContract } from "../store";
import { type BilledItemRow, insertItem, selectItems } from "../store.billing";
import type { ContractRow } from "../table";
import { renewableItems, renewed } from "./rules.renewal";

/**
 * Adds the items of a contract's next term: copies of those that run to the end, with the months and prices of its
 * renewal. Invoiced and future cycles of the former term stay.
 */
export function renewTerm(work: Work, contract: ContractRow, items: readonly BilledItemRow[]): void {
	const { renewal, refId } = contract;
	assert(renewal, "what is renewed says how");
	const next = renewableItems(items).map((item) => renewed(item, renewal));
	if (items.length + next.length > itemsMax)
		throw rejectBilling(
			"TOO_MANY_LINE_ITEMS",
			`The contract '${refId}' would have more than ${itemsMax} line items; create a contract for what follows.`,
		);
	for (const {
		id: _,
		environmentId: __,
		contractId: ___,
		createdAt: ____,
		updatedAt: _____,
		billedUntil: ______,
		...item
	} of next)
		insertItem(work, contract, { ...item, externalId: nextExternalId(item) });
	assertSchedulable(refId, selectItems(work, contract));
	const [first] = next;
	if (first && contract.activationEndAt !== null)
		changeContract(work, contract, { activationEndAt: first.activationEndAt });
}

const externalIdMax = 255;

/** An external id identifies one item, so the item of the next term appends its start date. */
function nextExternalId({ externalId, activationStartAt }: Pick<BilledItemRow, "externalId" | "activationStartAt">) {
	if (externalId === null || activationStartAt === null) return null;
	const next = `${externalId.replace(/@\d{4}-\d{2}-\d{2}$/, "")}@${toIso(activationStartAt).slice(0, 10)}`;
	return next.length > externalIdMax ? null : next;
}
