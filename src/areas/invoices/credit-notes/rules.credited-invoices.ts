import { type Big, exact, sum, zero } from "../../../kernel/decimal";
import type { NewCreditNoteLine } from "../new-documents";
import { lineTotal } from "../rules";
import { splitEach } from "./rules";

/** An invoice that a bill of credits can credit. */
export interface CreditableInvoice {
	/** Its amount that is not credited. */
	readonly left: Big;
	/** The ids of the charges that it charges. */
	readonly chargeIds: ReadonlySet<string>;
}

type Lines = readonly NewCreditNoteLine[];

/**
 * Distributes the lines of a bill of credits over invoices, in the order of these. Each invoice gets the credits of its own charges
 * first, together with the lines that charge the same time again, at most its rest. Credits beyond that go to the first invoices that
 * have a rest. Lines that charge anything else go to the first invoice that gets a part. Returns the lines of each invoice, and those
 * that no invoice can take. All parts sum to the whole in every column.
 */
export function distributeCredits(
	lines: Lines,
	invoices: readonly CreditableInvoice[],
	currency: string,
): { readonly parts: ReadonlyArray<Lines>; readonly rest: Lines } {
	const owners = lines.map((line) => ownerOf(line, lines, invoices));
	const amounts = amountsOf(lines, owners, invoices);
	const first = amounts.findIndex((amount) => amount.gt(0));
	if (first === -1) return { parts: invoices.map(() => []), rest: lines };
	let open = lines.map((line, at) => {
		const owner = owners[at] ?? -1;
		const isTaken = amounts[owner]?.gt(0) ?? false;
		return { line, at, owner, takenBy: lineTotal(line).lt(0) && !isTaken ? first : owner };
	});
	const parts = amounts.map((amount, nth) => {
		if (amount.lte(0)) return [];
		const waiting = open.filter(({ line, takenBy }) => lineTotal(line).lt(0) && takenBy !== nth);
		const ordered = open
			.filter((one) => !waiting.includes(one))
			.toSorted((one, other) => rankOf(one.owner, nth) - rankOf(other.owner, nth) || one.at - other.at);
		const [part, others] = splitEach(ordered, amount, currency);
		open = [...waiting, ...others].toSorted((one, other) => one.at - other.at);
		return part.toSorted((one, other) => one.at - other.at).map(({ line }) => line);
	});
	return { parts, rest: open.map(({ line }) => line) };
}

/**
 * Returns the place of the invoice that charged what a line credits, or whose time the line charges again; -1: none. Of several, the first one
 * that has a rest.
 */
function ownerOf(line: NewCreditNoteLine, lines: Lines, invoices: readonly CreditableInvoice[]): number {
	const chargedBy = ({ chargeId }: NewCreditNoteLine): number => {
		const hasCharged = ({ chargeIds }: CreditableInvoice): boolean => chargeIds.has(chargeId ?? "");
		const withRest = invoices.findIndex((invoice) => invoice.left.gt(0) && hasCharged(invoice));
		return withRest === -1 ? invoices.findIndex(hasCharged) : withRest;
	};
	if (lineTotal(line).gte(0)) return chargedBy(line);
	const credits = lines.filter(
		(one) => lineTotal(one).gt(0) && hasSamePeriod(one, line) && chargedBy(one) !== -1 && one.chargeId !== null,
	);
	const credit = credits.find((one) => isForSame(one, line)) ?? credits[0];
	return credit ? chargedBy(credit) : -1;
}

const hasSamePeriod = (one: NewCreditNoteLine, other: NewCreditNoteLine): boolean =>
	one.period != null && one.period.start === other.period?.start && one.period.end === other.period.end;

const isForSame = (one: NewCreditNoteLine, other: NewCreditNoteLine): boolean =>
	one.kind === other.kind &&
	(one.featureRefId ?? null) === (other.featureRefId ?? null) &&
	(one.addonRefId ?? null) === (other.addonRefId ?? null);

/** Returns the amount that each invoice is credited: first that of its own lines, then more from the first on. */
function amountsOf(lines: Lines, owners: readonly number[], invoices: readonly CreditableInvoice[]): Big[] {
	let open = sum(lines.map(lineTotal));
	const take = (...limits: readonly Big[]): Big => {
		const taken = least([open, ...limits]);
		open = open.minus(taken);
		return taken;
	};
	const own = invoices.map(({ left }, nth) =>
		take(left, sum(lines.filter((_, at) => owners[at] === nth).map(lineTotal))),
	);
	return own.map((amount, nth) => amount.plus(take((invoices[nth]?.left ?? exact(zero)).minus(amount))));
}

const least = (amounts: readonly Big[]): Big => {
	const smallest = amounts.reduce((one, other) => (other.lt(one) ? other : one));
	return smallest.lt(0) ? exact(zero) : smallest;
};

/** Own lines go first, then those of no invoice, then those of the last invoices. */
function rankOf(owner: number, nth: number): number {
	if (owner === nth) return Number.NEGATIVE_INFINITY;
	return owner === -1 ? Number.MIN_SAFE_INTEGER : -owner;
}
