import { fail } from "../../../kernel/errors";
import type { BankEntryConfirmation, EntryState } from "../schema";

/** The decisions of a person, by the states from which they are possible. */
export const decisions = {
	confirm: ["UNMATCHED", "PROPOSED", "REJECTED", "UNDONE"],
	reject: ["UNMATCHED", "PROPOSED"],
	undo: ["RECORDED", "REJECTED"],
} as const satisfies Readonly<Record<string, readonly EntryState[]>>;

const remedies: Readonly<Record<EntryState, string>> = {
	OUTGOING: "it is money that left the account",
	UNMATCHED: "confirm it with its invoices or its customer",
	PROPOSED: "confirm a proposal, or reject it",
	RECORDED: "undo it first",
	UNDONE: "its money is unallocated; confirm it with other invoices of its customer, or refund the receipt",
	REJECTED: "it is rejected already; confirm or undo it",
};

/** Throws InvalidArgumentError unless the state permits the decision. */
export function assertMay(decision: keyof typeof decisions, { id, state }: { id: string; state: EntryState }): void {
	const allowed: readonly EntryState[] = decisions[decision];
	if (!allowed.includes(state))
		throw fail("InvalidArgumentError", `The bank entry '${id}' is ${state}: ${remedies[state]}.`);
}

/** Throws InvalidArgumentError unless a confirmation names one of the three. */
export function assertOneTarget({ proposal, invoiceIds, customerId }: BankEntryConfirmation): void {
	const named = [proposal, invoiceIds, customerId].filter((one) => one !== undefined).length;
	if (named !== 1)
		throw fail(
			"InvalidArgumentError",
			"Name one of 'proposal', 'invoiceIds' and 'customerId': it says whose money the entry is.",
		);
}
