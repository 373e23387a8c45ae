import type { Work } from "../../../../kernel/work";
import { endCharge } from "../../../billing/operations";
import { recordWindow } from "../../../billing/operations.spend";
import type { InvoiceRow } from "../../../invoices/table";
import type { RatedInvoice } from "../../../pricing/rate";
import { amountsOf } from "../rules.amounts";
import { linesOfWindow, type SettledCommitments } from "./settle";

interface Issued {
	readonly rated: readonly RatedInvoice[];
	readonly invoice: InvoiceRow | undefined;
}

/** Records the windows that a bill settles, in its transaction. The ended ones are charged no more. */
export function recordCommitments(work: Work, { ended, late }: SettledCommitments, { rated, invoice }: Issued): void {
	const all = rated.flatMap((one) => one.lines);
	for (const one of [...ended, ...late]) {
		const { charge, whole, start, end, last, settled } = one;
		if (start >= end) {
			endCharge(work, one);
			continue;
		}
		const lines = linesOfWindow(all, one);
		const charged = lines.find(({ basis, taxes }) => basis.spendCommitment?.of === "SHORTFALL" && taxes);
		const taxes = last ? settled.taxes : charged?.taxes?.map(({ amount: _, ...tax }) => tax);
		recordWindow(work, charge, {
			...{ start, end, last, wholeStartsAt: start > whole.start ? whole.start : null },
			...{ rated: amountsOf(lines), invoiceId: invoice?.id ?? null },
			settled: { ...settled, ...(taxes && { taxes }) },
		});
	}
}
