import { assert, fail } from "../../kernel/errors";
import type { DebitState, MandateState } from "./schema";
import type { DebitRow } from "./table";

/** The states that can follow each state. */
export const debitTransitions: Readonly<Record<DebitState, readonly DebitState[]>> = {
	PLANNED: ["IN_FILE", "CANCELED"],
	IN_FILE: ["SETTLED", "RETURNED"],
	SETTLED: ["RETURNED"],
	RETURNED: [],
	CANCELED: [],
};

/** Asserts that a state may follow. */
export const assertFollows = (before: DebitState, after: DebitState): void =>
	assert(before === after || debitTransitions[before].includes(after), "a direct debit never goes back");

/** Returns whether a debit in this state still collects its invoice. */
export const isOpenState = (state: DebitState): boolean => state === "PLANNED" || state === "IN_FILE";

/** Returns the end-to-end id of a debit, 34 characters: `TG` and its id. */
export const endToEndIdOf = (id: string): string => `TG${id.replaceAll("-", "").toUpperCase()}`;

/** Returns the debit that an end-to-end id names; undefined if Tollgate did not make it. */
export function debitIdOf(endToEndId: string | null): string | undefined {
	const [, hex] = /^TG([0-9A-F]{32})$/i.exec(endToEndId?.trim() ?? "") ?? [];
	return hex?.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Returns the id of a file's message, 34 characters: `TG` and the file's id. */
export const messageIdOf = (fileId: string): string => endToEndIdOf(fileId);

const remedies: Readonly<Record<DebitState, string>> = {
	PLANNED: "no file has it yet; cancel it (POST /direct-debits/{debitId}/cancel), or make a file first",
	IN_FILE: "the bank has it; record its return if the bank rejects it",
	SETTLED: "its money has arrived; record a return if the bank takes it back",
	RETURNED: "it has ended; collect the invoice again by POST /direct-debits",
	CANCELED: "it has ended; collect the invoice again by POST /direct-debits",
};

/** Throws BillingInvoiceStatusError unless a debit is in one of the states. */
export function assertIn(states: readonly DebitState[], { id, state }: Pick<DebitRow, "id" | "state">): void {
	if (!states.includes(state))
		throw fail("BillingInvoiceStatusError", `The direct debit '${id}' is ${state}: ${remedies[state]}.`);
}

/** Throws BillingInvoiceStatusError unless a mandate collects. */
export function assertCollects(reference: string, state: MandateState): void {
	if (state !== "ACTIVE")
		throw fail(
			"BillingInvoiceStatusError",
			`The mandate '${reference}' is ${state}; record a new one that the customer has signed.`,
		);
}
