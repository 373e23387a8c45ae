import { type Instant, toIso, toIsoOrNull } from "../../../../kernel/clock";
import { type Big, type Decimal, exact, sum } from "../../../../kernel/decimal";
import type { PeriodOfCharge } from "../../../billing/rules.billed";
import type { CommitmentTerms } from "../../../billing/rules.charge";
import type { SettledWindow } from "../../../billing/table";
import type { IssuedLine } from "../../../invoices/check/operations.documents";
import {
	type CommittedPart,
	excessOf,
	type SpendCommitment,
	shortfallOf,
} from "../../../pricing/models/spend-commitment";
import { wholePeriod } from "../../../pricing/proration";
import type { SubscriptionRow } from "../../table";
import { partsUntil, type RunningCommitment } from "../commitments/running";
import { formatPeriod } from "./rules";

/** A bill of a window of a commitment, and what counts towards it by all bills. */
export interface SettledBills {
	/** In their order. */
	readonly bills: readonly PeriodOfCharge[];
	readonly terms: CommitmentTerms;
	/** Null: charges of the window have gone to another subscription. */
	readonly spent: Big | null;
}

/**
 * Yields the differences between the settled windows of a commitment, its terms, the charges that count, and the lines: another sum,
 * another share, a shortfall or excess that the sums do not make, and amounts other than those of the lines.
 */
export function* settledDifferences(
	named: string,
	{ bills, terms, spent }: SettledBills,
	lines: readonly IssuedLine[],
): Generator<string> {
	const last = bills.at(-1);
	if (!last?.period.settled) return;
	const { charge, period } = last;
	const { settled } = last.period as { readonly settled: SettledWindow };
	const { currency } = terms.commitment;
	const window = { start: period.startsAt, end: period.endsAt };
	const of = `${named}, ${charge.key} for ${formatPeriod(window)}`;
	if (spent && !spent.eq(settled.spent))
		yield `${of}: ${settled.spent} counts towards the commitment, its charges make ${spent.toFixed()}`;
	const expected = [false, true].map((isEnd) => partsUntil({ charge, terms }, period.endsAt, isEnd));
	if (!expected.some((parts) => isSameParts(parts, settled.parts)))
		yield `${of}: owes ${partsText(settled.parts)}, expected ${partsText(expected[0] ?? [])}`;
	const sums = { ...terms.commitment, parts: settled.parts, spent: settled.spent };
	for (const [what, stored, made] of [
		["shortfall", settled.shortfall, shortfallOf(sums, currency)],
		["excess", settled.excess, excessOf(sums, currency)],
	] as const)
		if (!made.eq(stored)) yield `${of}: its ${what} counts as ${stored}, expected ${made.toFixed()}`;
	const charged = sum(bills.map((one) => exact(one.period.rated.gross ?? one.period.rated.subTotal)));
	const total = exact(settled.shortfall).plus(settled.excess);
	if (!charged.eq(total)) yield `${of}: ${charged.toFixed()} counts as charged, expected ${total.toFixed()}`;
	yield* lineDifferences(of, last, bills, lines);
}

function* lineDifferences(
	of: string,
	{ charge, period }: PeriodOfCharge,
	bills: readonly PeriodOfCharge[],
	lines: readonly IssuedLine[],
): Generator<string> {
	if (bills.some((one) => one.period.invoiceId === null)) return;
	const own = lines.filter(
		({ line: { basis, periodStart, periodEnd } }) =>
			basis?.spendCommitment !== undefined &&
			charge.key.endsWith(`/${basis.spendCommitment.scope}`) &&
			periodStart === period.startsAt &&
			periodEnd === period.endsAt,
	);
	for (const what of ["amount", "tax"] as const) {
		const found = sum(own.map(({ line }) => exact(line[what])));
		const counted = sum(bills.map((one) => exact(one.period.rated[what === "amount" ? "subTotal" : "tax"])));
		if (!found.eq(counted))
			yield `${of}: its ${what} counts as ${counted.toFixed()}, its lines make ${found.toFixed()}`;
	}
}

const isSameParts = (one: readonly CommittedPart[], other: readonly CommittedPart[]): boolean =>
	partsText(one) === partsText(other);

const partsText = (parts: readonly CommittedPart[]): string =>
	parts
		.map(({ amount, share = wholePeriod }: { amount: Decimal; share?: CommittedPart["share"] }) =>
			share.partMs === share.wholeMs ? amount : `${amount} × ${share.partMs} / ${share.wholeMs} ms`,
		)
		.join(" + ") || "0";

/** Yields windows of one commitment that overlap. */
export function* overlappingWindows(named: string, bills: readonly PeriodOfCharge[]): Generator<string> {
	let until: Instant | undefined;
	for (const { charge, period } of bills.filter((one) => one.period.revision === 0)) {
		if (until !== undefined && period.startsAt < until && charge.prorationMode !== "NONE")
			yield `${named}, ${charge.key}: the window from ${toIso(period.startsAt)} begins before ${toIso(until)}, which is settled`;
		until = period.endsAt;
	}
}

/** Yields commitments of an active subscription that no window runs for, or whose window runs on other terms or has ended. */
export function* runningDifferences(
	named: string,
	{ billedUntil }: Pick<SubscriptionRow, "billedUntil">,
	running: readonly RunningCommitment[],
	wanted: readonly SpendCommitment[],
): Generator<string> {
	for (const { scope } of wanted)
		if (!running.some(({ terms }) => terms.commitment.scope === scope))
			yield `${named}: no window of its commitment ${scope} runs`;
	for (const { charge, terms } of running)
		if (billedUntil !== null && terms.whole.end < billedUntil)
			yield `${named}, ${charge.key}: its window ends ${toIso(terms.whole.end)}, expected ${toIsoOrNull(billedUntil)} or later`;
}
