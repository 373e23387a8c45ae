import { type Instant, instantOf } from "../../../kernel/clock";
import { type Decimal, exact, isLess, minus, zero } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import type { IncomingPayment, PlannedAllocation } from "../../invoices/payments/operations.take";
import type { Excess } from "../../invoices/payments/schema";
import type { BankEntryRow } from "../table";

/** The characters of the remittance text that the receipt's note keeps. */
const noteMax = 500;

/** The money of an entry as `takePayment` takes it. The entry's id is the reference, so an entry is one receipt. */
export function paymentOf(
	work: Work,
	entry: Pick<BankEntryRow, "id" | "accountId" | "amount" | "currency" | "bookedOn" | "text">,
	payer: { readonly customerId: string; readonly legalEntityId: string },
	{ allocations, excess }: { readonly allocations: readonly PlannedAllocation[]; readonly excess: Excess },
): IncomingPayment {
	return {
		...payer,
		...{ currency: entry.currency, amount: entry.amount, method: "BANK_TRANSFER", reference: entry.id },
		note: entry.text === "" ? null : entry.text.slice(0, noteMax),
		receivedAt: Math.min(instantOf(`${entry.bookedOn}T00:00:00Z`), work.now) as Instant,
		source: { kind: "BANK", id: entry.accountId },
		...{ allocations, excess },
	};
}

/** Splits an amount over invoices in their order: each takes at most its amount due. An invoice without a part is left out. */
export function spread(
	amount: Decimal,
	invoices: ReadonlyArray<{ readonly id: string; readonly due: Decimal }>,
): PlannedAllocation[] {
	let rest = amount;
	return invoices.flatMap(({ id, due }) => {
		const part = isLess(rest, due) ? rest : due;
		if (!isLess(zero, part)) return [];
		rest = minus(rest, part);
		return [{ invoiceId: id, amount: part }];
	});
}

/** Whether an entry brought money. */
export const isIncoming = ({ amount }: Pick<BankEntryRow, "amount">): boolean => exact(amount).gt(0);
