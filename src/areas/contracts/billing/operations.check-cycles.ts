import { toIso } from "../../../kernel/clock";
import { exact, sum, zero } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { billedPeriodsOf, creditedPeriodsOf } from "../../billing/operations";
import type { BilledPeriod } from "../../billing/rules.billed";
import { isOfItem } from "../../billing/rules.charge";
import { checkCredit } from "../../billing/rules.check";
import { findMeterOf } from "../../features/operations";
import { creditedLines } from "../../invoices/check/operations.documents";
import { nameLine } from "../../invoices/check/operations.rates";
import { invoicesOfContract, linesByInvoice } from "../../invoices/operations";
import type { InvoiceLineRow, InvoiceRow } from "../../invoices/table";
import type { AppliedTax } from "../../pricing/tax";
import { selectItems } from "../store.billing";
import type { ContractItemRow, ContractRow } from "../table";
import { isPayAsYouGo } from "./rules.schedule";
import { selectContractsAfter } from "./store";
import { eventsOf, meteredBy, quantityIn } from "./usage";

/**
 * Yields the differences between invoices of contracts and their recorded cycles: a cycle on no invoice or on two, at
 * another amount, at prices that its item does not have, or with other usage than counted.
 */
export function* checkContractBills(work: Work): Generator<string> {
	for (let after = ""; ; ) {
		const rows = selectContractsAfter(work, after);
		const last = rows.at(-1);
		if (!last) return;
		for (const row of rows) yield* checkContract(work, row);
		after = last.id;
	}
}

/** An invoice line that bills a cycle of an item. */
interface BilledLine {
	readonly invoice: InvoiceRow;
	readonly line: InvoiceLineRow;
	readonly named: string;
	/** The line is credited in full, so its cycle may be billed again. */
	readonly isCredited: boolean;
}

function* checkContract(work: Work, contract: ContractRow): Generator<string> {
	const { lines, unknown } = linesOfCycles(work, contract);
	const items = new Map(selectItems(work, contract).map((item) => [item.id, item]));
	for (const cycle of billedPeriodsOf(work, contract).filter(({ state }) => state !== "ELSEWHERE")) {
		const key = keyOf(cycle.charge.key, cycle.start);
		const billed = lines.get(key) ?? [];
		lines.delete(key);
		const item = items.get(cycle.charge.key);
		const named = `the contract ${contract.refId}, ${item?.name ?? "an item that is gone"} for ${toIso(cycle.start)} to ${toIso(cycle.end)}`;
		const isKept = billed.length > 0 || !unknown.has(`${cycle.invoiceId}/${cycle.start}`);
		if (isKept) yield* checkCycle(named, cycle, billed);
		if (!item) continue;
		for (const one of billed) yield* checkPrices(one, cycle);
		if (isPayAsYouGo(item)) yield* checkCounted(work, contract, { item, cycle, named });
	}
	for (const { named, isCredited } of [...lines.values()].flat())
		if (!isCredited) yield `${named}: is charged, and counts as invoiced nowhere: charged twice, or for nothing`;
	for (const { charge, period, credit } of creditedPeriodsOf(work, contract))
		yield* checkCredit(
			`the contract ${contract.refId}, ${items.get(charge.key)?.name ?? "an item that is gone"}`,
			period,
			credit,
		);
}

const keyOf = (itemId: string, start: number | null): string => `${itemId}/${start}`;

/** By item and start of the cycle. Lines of releases that did not store the basis are listed separately. */
function linesOfCycles(work: Work, { id }: ContractRow) {
	const invoices = invoicesOfContract(work, id).filter(({ subscriptionId }) => subscriptionId === null);
	const issued = linesByInvoice(work, invoices);
	const credited = creditedLines(work, invoices);
	const lines = new Map<string, BilledLine[]>();
	const unknown = new Set<string>();
	for (const invoice of invoices)
		for (const line of issued.get(invoice.id) ?? []) {
			const item = line.basis?.contractItem;
			if (!item) {
				unknown.add(`${invoice.id}/${line.periodStart}`);
				continue;
			}
			const key = keyOf(item.itemId, line.periodStart);
			const isCredited =
				invoice.state === "CANCELED" ||
				exact(credited.get(`${invoice.id}/${line.position}`) ?? zero).gte(exact(line.total));
			const billed = { invoice, line, named: nameLine(invoice, line), isCredited };
			lines.set(key, [...(lines.get(key) ?? []), billed]);
		}
	return { lines, unknown };
}

/** Checks that the invoiced amount of a cycle, late usage included, equals the recorded one. */
function* checkCycle(named: string, cycle: BilledPeriod, billed: readonly BilledLine[]): Generator<string> {
	const isUsed = cycle.usageQuantity !== null;
	const counting = isUsed ? billed : billed.filter(({ invoice }) => invoice.id === cycle.invoiceId);
	for (const { named: line, isCredited } of billed.filter((one) => !counting.includes(one)))
		if (!isCredited) yield `${line}: charged twice, ${named} is on another invoice too`;
	for (const {
		named: line,
		line: { periodEnd },
	} of counting)
		if (periodEnd !== cycle.end) yield `${line}: expected to the end of the cycle, ${toIso(cycle.end)}`;
	const figures = [
		["subTotal", cycle.rated.subTotal, counting.map(({ line }) => exact(line.amount))],
		["discount", cycle.rated.discount, counting.map(({ line }) => exact(line.discount))],
		["tax", cycle.rated.tax, counting.map(({ line }) => exact(line.tax))],
		["total", cycle.rated.total, counting.map(({ line }) => exact(line.total))],
	] as const;
	for (const [figure, expected, found] of figures)
		if (!sum(found).eq(expected))
			yield `${named}: ${figure} ${expected} counts as invoiced, its lines make ${sum(found).toFixed()}`;
	if (isUsed) yield* checkBilledInTurn(named, cycle, counting);
}

/** Each bill of a cycle's usage starts where the one before it ended. */
function* checkBilledInTurn(named: string, cycle: BilledPeriod, billed: readonly BilledLine[]): Generator<string> {
	let reached = exact(zero);
	for (const {
		named: line,
		line: { basis, quantity },
	} of billed) {
		const from = exact(basis?.billed ?? zero);
		if (!from.eq(reached)) yield `${line}: bills from ${from.toFixed()} on, expected from ${reached.toFixed()}`;
		reached = from.plus(quantity ?? zero);
	}
	if (billed.some(({ line }) => line.quantity === null)) return;
	if (!reached.eq(cycle.usageQuantity ?? zero) && billed.length > 0)
		yield `${named}: ${cycle.usageQuantity} counts as billed, its invoices bill ${reached.toFixed()}`;
}

/** A line has the prices of its charge. */
function* checkPrices({ named, line, isCredited }: BilledLine, { charge: { terms } }: BilledPeriod): Generator<string> {
	const kept = line.basis?.contractItem;
	if (!kept || !terms || !isOfItem(terms) || isCredited) return;
	const { price, taxPercentage, taxes = [] } = terms;
	if (!Bun.deepEquals(kept.rows, price.rows))
		yield `${named}: was rated by the rows ${JSON.stringify(kept.rows)}, its item has ${JSON.stringify(price.rows)}`;
	if (line.taxPercentage !== taxPercentage)
		yield `${named}: was taxed by ${line.taxPercentage ?? 0}%, its item has ${taxPercentage ?? 0}%`;
	const [stated, expected] = [ratesOf(line.taxes ?? []), ratesOf(taxes)];
	if (stated !== expected) yield `${named}: has the taxes ${stated}, its item has ${expected}`;
}

const ratesOf = (taxes: readonly AppliedTax[]): string =>
	taxes.map(({ taxId, percentage }) => `${taxId} ${percentage}%`).join(", ") || "none";

/** If a cycle gained and lost no events since, and the meter is the same, its usage is at most the billed one. */
function* checkCounted(
	work: Work,
	contract: ContractRow,
	{ item, cycle, named }: { item: ContractItemRow; cycle: BilledPeriod; named: string },
): Generator<string> {
	const { charge, usageQuantity: quantity, usageEvents: events, createdAt } = cycle;
	const { terms } = charge;
	if (quantity === null || events === null || !terms || !isOfItem(terms) || item.itemName === null) return;
	const metered = meteredBy(work, contract, item);
	const counted = eventsOf(work, metered);
	if (counted.isLevel || counted.meterId !== charge.usageMeterId || counted.within(cycle) !== events) return;
	if ((findMeterOf(work, item.itemName)?.createdAt ?? 0) > createdAt) return;
	const now = quantityIn(work, { ...metered, unitTransformation: terms.unitTransformation }, cycle);
	if (exact(now).gt(quantity)) yield `${named}: ${quantity} counts as billed, its ${events} events make ${now}`;
}
