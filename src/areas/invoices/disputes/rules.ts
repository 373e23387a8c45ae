import { type Big, exact, sum } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import { refundableOf } from "../payments/rules";
import type { ReceiptRow } from "../table.receipts";
import { type DisputeState, nextDisputeStates } from "./schema";
import type { DisputeRow } from "./table";

/** Returns whether the bank has withdrawn the money until the dispute ends. An inquiry moves none. */
export const holdsMoney = ({ state }: Pick<DisputeRow, "state">): boolean =>
	state === "NEEDS_RESPONSE" || state === "UNDER_REVIEW";

/** Returns whether the dispute has taken the money for good. */
export const takesMoney = ({ state }: Pick<DisputeRow, "state">): boolean => state === "LOST" || state === "ACCEPTED";

/** Returns the part of a receipt that its disputes concern. */
export const disputedOf = (disputes: ReadonlyArray<Pick<DisputeRow, "state" | "amount">>): Big =>
	sum(disputes.filter(holdsMoney).map(({ amount }) => exact(amount)));

/** Throws InvalidArgumentError for a change that the table does not have. */
export function assertMayMove({ id, state }: Pick<DisputeRow, "id" | "state">, to: DisputeState): void {
	const next = nextDisputeStates[state];
	if (next.includes(to)) return;
	throw fail(
		"InvalidArgumentError",
		next.length === 0
			? `The dispute '${id}' has ended: it is ${state}. Record another dispute of the receipt instead.`
			: `The dispute '${id}' is ${state}; it can become ${next.join(", ")}, not ${to}.`,
	);
}

/** Throws InvalidArgumentError for more than what is neither refunded, withdrawn nor disputed. */
export function assertDisputable(receipt: ReceiptRow, amount: Big): void {
	const left = refundableOf(receipt);
	if (amount.gt(left))
		throw fail(
			"InvalidArgumentError",
			`At most ${left.toFixed()} of the receipt '${receipt.id}' can be disputed: the rest was refunded, was withdrawn or is disputed already; got ${amount.toFixed()}.`,
		);
}
