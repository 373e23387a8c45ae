import { exact, sum } from "../../../../kernel/decimal";
import type { PeriodOfCharge } from "../../../billing/rules.billed";
import type { ChargeCreditRow } from "../../../billing/table";
import type { IssuedLine } from "../../../invoices/check/operations.documents";
import { inAdvance } from "../charged";

/** Yields lines that credit a charge in advance of which no credit is recorded: the charge would be credited again. */
export function* unrecordedCredits(
	named: string,
	bills: readonly PeriodOfCharge[],
	credited: ReadonlyArray<PeriodOfCharge & { readonly credit: ChargeCreditRow }>,
	lines: readonly IssuedLine[],
): Generator<string> {
	const recorded = new Set(credited.map(({ period }) => period.lineChargeId));
	const credits = Map.groupBy(
		lines.filter(({ invoice, line: { basis } }) => basis?.isCredit === true && invoice?.state !== "CANCELED"),
		({ line }) => line.chargeId,
	);
	// Earlier releases recorded no invoice of a charge, and no credits.
	const ids = new Set(
		bills.flatMap(({ charge, period: { state, invoiceId, lineChargeId } }) =>
			charge.key.startsWith(inAdvance) && state === "BILLED" && invoiceId !== null && !recorded.has(lineChargeId)
				? (lineChargeId ?? [])
				: [],
		),
	);
	for (const id of ids) {
		const own = credits.get(id) ?? [];
		const total = sum(own.map(({ line }) => exact(line.amount)));
		if (!total.eq(0))
			yield `${own.map((one) => one.named).join(", ")}: credits ${total.times(-1).toFixed()} of a charge of ${named}, and no credit of it is recorded`;
	}
}
