import type { Instant } from "../../../../kernel/clock";
import { type Big, exact, sum, toDecimal, zero } from "../../../../kernel/decimal";
import type { Period } from "../../../../kernel/period";
import type { Work } from "../../../../kernel/work";
import { periodsEndingFrom } from "../../../billing/operations.spend";
import type { ChargePeriodRow, ChargeRow, SettledWindow } from "../../../billing/table";
import type { CommitmentItem } from "../../../pricing/commitments/commitment-line";
import type { RatedLine } from "../../../pricing/line";
import { amountOfCommitment, excessOf, type SpendBasis, shortfallOf } from "../../../pricing/models/spend-commitment";
import type { AppliedTax } from "../../../pricing/tax";
import type { SubscriptionRow } from "../../table";
import { type BillSection, rateBill } from "../rules.bill";
import { commitmentTerms, ofCommitment, partsUntil, type RunningCommitment } from "./running";
import { addedBy, addedLate, billedIn } from "./spent";

/** A window of a commitment as a bill leaves it, and what the bill charges for it. */
export interface WindowBill extends Period {
	readonly charge: ChargeRow;
	readonly whole: Period;
	/** Its last bill; null: this one ends it. */
	readonly last: ChargePeriodRow | null;
	readonly settled: SettledWindow;
	readonly items: readonly CommitmentItem[];
}

/** The windows that a bill settles. */
export interface SettledCommitments {
	readonly ended: readonly WindowBill[];
	/** Windows that earlier bills have ended, and that have got late usage. */
	readonly late: readonly WindowBill[];
}

interface Settled {
	/** The sections of the subscription in the bill. */
	readonly sections: readonly BillSection[];
	/** The windows that end with the bill. Default: none. */
	readonly ending?: readonly RunningCommitment[];
	/** Missing: now. */
	readonly until?: Instant | undefined;
	/** Nothing follows: the date of the end counts as a whole day. */
	readonly isEnd?: boolean;
}

/**
 * Settles the windows of commitments that end with a bill, and those whose late usage it bills. Each owes its amount less what is charged
 * for its time. Late usage first consumes a shortfall that was charged.
 */
export function settleCommitments(
	work: Work,
	row: Pick<SubscriptionRow, "id">,
	{ sections, ending = [], until = work.now, isEnd = false }: Settled,
): SettledCommitments {
	const ends = sections.flatMap(({ items }) =>
		items.flatMap(({ charge, period }) => (charge.billingModel === "USAGE_BASED" && period ? period.end : [])),
	);
	const former = ends.length === 0 ? [] : periodsEndingFrom(work, row, ofCommitment, Math.min(...ends) as Instant);
	if (ending.length === 0 && former.length === 0) return nothingSettled;
	const rated = rateBill({ sections });
	const linesIn = (currency: string) => rated.flatMap((one) => (one.currency === currency ? one.lines : []));
	const late: WindowBill[] = [];
	for (const { charge, period } of byScope(former)) {
		const terms = commitmentTerms(charge);
		if (!terms || !period.settled) continue;
		const window = { start: period.startsAt, end: period.endsAt };
		const added = addedLate(linesIn(terms.commitment.currency), window).plus(ofUsageAlone(late, terms, window));
		if (added.eq(0)) continue;
		const spent = exact(period.settled.spent).plus(added);
		late.push(billOf({ charge, terms }, { ...window, last: period, spent, parts: period.settled.parts }));
	}
	const ended: WindowBill[] = [];
	for (const one of byScope(ending)) {
		const { scope, currency } = one.terms.commitment;
		const end = endOf(one, until);
		const counted = { scope, currency, start: one.charge.startsAt, end };
		const added = addedBy(linesIn(currency), counted).plus(ofUsageAlone([...ended, ...late], one.terms, counted));
		const spent = billedIn(work, row, counted).plus(added);
		ended.push(billOf(one, { ...counted, last: null, spent, parts: partsUntil(one, end, isEnd) }));
	}
	return { ended, late };
}

/** Without proration, a window is owed whole. */
const endOf = ({ charge, terms: { whole } }: RunningCommitment, until: Instant): Instant =>
	charge.prorationMode === "NONE" || whole.end < until ? whole.end : until;

/** Sorts commitments: those of usage alone come first, since what they charge counts towards the others. */
const byScope = <One extends { readonly charge: ChargeRow }>(some: readonly One[]): One[] =>
	some.toSorted((one, other) => (one.charge.key < other.charge.key ? 1 : -1));

/** Returns what commitments of usage alone charge for windows that end within a window of all charges. */
function ofUsageAlone(
	settled: readonly WindowBill[],
	{ commitment: { scope, currency } }: RunningCommitment["terms"],
	{ start, end }: Period,
): Big {
	const within = settled.filter((one) => scope === "ALL" && !isOfAll(one) && start < one.end && one.end <= end);
	return sum(within.flatMap(({ items }) => items.map(({ basis }) => amountOfCommitment(basis, currency))));
}

const isOfAll = ({ charge }: WindowBill): boolean => charge.key === `${ofCommitment}ALL`;

/** Returns a section with the lines of the windows that end with it. */
export const withCommitments = (section: BillSection, { ended }: SettledCommitments): BillSection => {
	const commitments = ended.flatMap(({ items }) => items);
	return commitments.length === 0 ? section : { ...section, commitments };
};

/** Returns the section of windows with late usage, at the terms of other late usage. */
export const lateCommitments = (terms: Omit<BillSection, "items">, { late }: SettledCommitments): BillSection[] => {
	const commitments = late.flatMap(({ items }) => items);
	return commitments.length === 0 ? [] : [{ ...terms, items: [], commitments }];
};

export const nothingSettled: SettledCommitments = { ended: [], late: [] };

interface Sums extends Period, Pick<SettledWindow, "parts"> {
	readonly last: ChargePeriodRow | null;
	readonly spent: Big;
}

function billOf(
	{ charge, terms: { commitment, whole, pricedBy, productRefId, taxes } }: RunningCommitment,
	{ start, end, last, spent, parts }: Sums,
): WindowBill {
	const { scope, currency, overageFactor, isTrueUp } = commitment;
	const rules = {
		...{ scope, parts, spent: toDecimal(spent) },
		...(overageFactor !== undefined && { overageFactor }),
		...(isTrueUp === false && { isTrueUp }),
	};
	const { shortfall: charged = zero, excess: added = zero, taxes: chargedTaxes } = last?.settled ?? {};
	const shortfall = toDecimal(shortfallOf(rules, currency));
	const excess = toDecimal(excessOf(rules, currency));
	const subject = { currency, pricedBy, productRefId, period: { start, end }, ...(taxes && { taxes }) };
	const itemOf = (of: SpendBasis["of"], billed: SpendBasis["billed"], reverses?: readonly AppliedTax[]) => ({
		...{ ...subject, basis: { ...rules, of, billed } },
		...(reverses && { reverses }),
	});
	return {
		...{ charge, whole, start, end, last },
		settled: { parts, spent: toDecimal(spent), shortfall, excess, ...(chargedTaxes && { taxes: chargedTaxes }) },
		items: [
			...(shortfall === charged ? [] : [itemOf("SHORTFALL", charged, last ? (chargedTaxes ?? []) : undefined)]),
			...(excess === added ? [] : [itemOf("EXCESS", added)]),
		],
	};
}

/** Returns the lines of a window in a bill. */
export const linesOfWindow = (lines: readonly RatedLine[], { charge, start, end }: WindowBill): RatedLine[] =>
	lines.filter(
		({ basis, period }) =>
			basis.spendCommitment !== undefined &&
			charge.key === `${ofCommitment}${basis.spendCommitment.scope}` &&
			period?.start === start &&
			period.end === end,
	);
