import { and, asc, eq, gt } from "drizzle-orm";
import { toIso } from "../../../kernel/clock";
import { exact, sum, zero } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { findMeterOf } from "../../features/operations";
import { invoicesOfContract, linesByInvoice } from "../../invoices/operations";
import { creditedLines } from "../../invoices/operations.check-documents";
import { nameLine } from "../../invoices/operations.check-rates";
import type { InvoiceLineRow, InvoiceRow } from "../../invoices/table";
import { selectItems } from "../store.billing";
import { type ContractItemRow, type ContractRow, contracts } from "../table";
import { isPayAsYouGo } from "./rules.schedule";
import { cyclesOfContract } from "./store";
import type { BilledCycleRow } from "./table";
import { eventsOf, meteredBy, quantityIn } from "./usage";

/** Contracts in memory at once, each with the invoices and cycles of its term. */
const contractsAtOnceMax = 100;

/**
 * Yields the differences between invoices of contracts and their recorded cycles: a cycle on no invoice or on two, at
 * another amount, at prices that its item does not have, or with other usage than counted.
 */
export function* checkContractBills(work: Work): Generator<string> {
	for (let after = ""; ; ) {
		const rows = readContracts(work, after);
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
	for (const cycle of cyclesOfContract(work, contract).filter(({ isElsewhere }) => !isElsewhere)) {
		const key = keyOf(cycle.itemId, cycle.cycleStart);
		const billed = lines.get(key) ?? [];
		lines.delete(key);
		const item = items.get(cycle.itemId);
		const named = `the contract ${contract.refId}, ${item?.name ?? "an item that is gone"} for ${toIso(cycle.cycleStart)} to ${toIso(cycle.cycleEnd)}`;
		const isKept = billed.length > 0 || !unknown.has(`${cycle.invoiceId}/${cycle.cycleStart}`);
		if (isKept) yield* checkCycle(named, cycle, billed);
		if (!item) continue;
		for (const one of billed) yield* checkPrices(one, cycle, item);
		if (isPayAsYouGo(item)) yield* checkCounted(work, contract, { item, cycle, named });
	}
	for (const { named, isCredited } of [...lines.values()].flat())
		if (!isCredited) yield `${named}: is charged, and counts as invoiced nowhere: charged twice, or for nothing`;
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
function* checkCycle(named: string, cycle: BilledCycleRow, billed: readonly BilledLine[]): Generator<string> {
	const isUsed = cycle.quantity !== null;
	const counting = isUsed ? billed : billed.filter(({ invoice }) => invoice.id === cycle.invoiceId);
	for (const { named: line, isCredited } of billed.filter((one) => !counting.includes(one)))
		if (!isCredited) yield `${line}: charged twice, ${named} is on another invoice too`;
	for (const {
		named: line,
		line: { periodEnd },
	} of counting)
		if (periodEnd !== cycle.cycleEnd) yield `${line}: expected to the end of the cycle, ${toIso(cycle.cycleEnd)}`;
	const figures = [
		["subTotal", cycle.billed.subTotal, counting.map(({ line }) => exact(line.amount))],
		["discount", cycle.billed.discount, counting.map(({ line }) => exact(line.discount))],
		["tax", cycle.billed.tax, counting.map(({ line }) => exact(line.tax))],
		["total", cycle.billed.total, counting.map(({ line }) => exact(line.total))],
	] as const;
	for (const [figure, expected, found] of figures)
		if (!sum(found).eq(expected))
			yield `${named}: ${figure} ${expected} counts as invoiced, its lines make ${sum(found).toFixed()}`;
	if (isUsed) yield* checkBilledInTurn(named, cycle, counting);
}

/** Each bill of a cycle's usage starts where the one before it ended. */
function* checkBilledInTurn(named: string, cycle: BilledCycleRow, billed: readonly BilledLine[]): Generator<string> {
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
	if (!reached.eq(cycle.quantity ?? zero) && billed.length > 0)
		yield `${named}: ${cycle.quantity} counts as billed, its invoices bill ${reached.toFixed()}`;
}

/**
 * A line has the prices of its item, unless an amendment has changed them since; usage always has those of its bill.
 */
function* checkPrices(
	{ named, line, isCredited }: BilledLine,
	cycle: BilledCycleRow,
	item: ContractItemRow,
): Generator<string> {
	const kept = line.basis?.contractItem;
	const expected = cycle.terms ?? (item.updatedAt < cycle.createdAt ? item : undefined);
	if (!kept || !expected || isCredited) return;
	if (!Bun.deepEquals(kept.rows, expected.rows))
		yield `${named}: was rated by the rows ${JSON.stringify(kept.rows)}, its item has ${JSON.stringify(expected.rows)}`;
	if (line.taxPercentage !== expected.tax)
		yield `${named}: was taxed by ${line.taxPercentage ?? 0}%, its item has ${expected.tax ?? 0}%`;
}

/** If a cycle gained and lost no events since, and the meter is the same, its usage is at most the billed one. */
function* checkCounted(
	work: Work,
	contract: ContractRow,
	{ item, cycle, named }: { item: ContractItemRow; cycle: BilledCycleRow; named: string },
): Generator<string> {
	const { quantity, events, terms, createdAt } = cycle;
	if (quantity === null || events === null || terms === null || item.itemName === null) return;
	const metered = meteredBy(work, contract, item);
	const counted = eventsOf(work, metered);
	const period = { start: cycle.cycleStart, end: cycle.cycleEnd };
	if (counted.isLevel || counted.meterId !== item.usageMeterId || counted.within(period) !== events) return;
	if ((findMeterOf(work, item.itemName)?.createdAt ?? 0) > createdAt) return;
	const now = quantityIn(work, { ...metered, unitTransformation: terms.unitTransformation }, period);
	if (exact(now).gt(quantity)) yield `${named}: ${quantity} counts as billed, its ${events} events make ${now}`;
}

const readContracts = ({ tx, actor }: Work, after: string): ContractRow[] =>
	tx
		.select()
		.from(contracts)
		.where(and(eq(contracts.environmentId, actor.environmentId), gt(contracts.id, after)))
		.orderBy(asc(contracts.id))
		.limit(contractsAtOnceMax)
		.all();
