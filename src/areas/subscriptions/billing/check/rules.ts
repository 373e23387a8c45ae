import { type Instant, toIso } from "../../../../kernel/clock";
import { type Decimal, exact, sum, zero } from "../../../../kernel/decimal";
import type { Period } from "../../../../kernel/period";
import type { DocumentLine, IssuedLine } from "../../../invoices/check/operations.documents";
import { currencyOfCharge } from "../../../pricing/models/charge";
import type { ChargeItem } from "../../../pricing/rate";
import type { BillingPeriod } from "../../../pricing/rules.billing-period";
import type { AppliedTax } from "../../../pricing/tax";
import type { ChargedPeriod } from "../../table";
import { chargedElsewhere, chargedFrom } from "../rules.bill";

/** The subject of a charge in advance. */
interface Subject {
	readonly addonRefId: string | null;
	readonly featureRefId: string | null;
	/** Undefined for lines of releases that did not store it. */
	readonly billingModel: ChargeItem["charge"]["billingModel"] | undefined;
}

const inAdvance: ReadonlySet<DocumentLine["kind"]> = new Set([
	"BaseCharge",
	"AddonCharge",
	"InAdvanceCommitmentCharge",
	"MinimumSpendCharge",
	"ZeroAmountBaseCharge",
]);

/** Whether a line charges a period in advance: it is neither a credit nor a one-time charge. */
export const isPeriodCharge = ({ kind, amount, periodStart, basis }: DocumentLine): boolean =>
	inAdvance.has(kind) &&
	periodStart !== null &&
	!basis?.trueUp &&
	!basis?.spendCommitment &&
	(basis ? !basis.isCredit : !exact(amount).lt(0));

const subjectOfLine = ({ addonRefId, featureRefId, basis }: DocumentLine): Subject => ({
	addonRefId,
	featureRefId,
	billingModel: basis?.charge?.billingModel,
});

const isSameSubject = (one: Subject, other: Subject): boolean =>
	one.addonRefId === other.addonRefId &&
	one.featureRefId === other.featureRefId &&
	(one.billingModel === undefined || other.billingModel === undefined || one.billingModel === other.billingModel);

/** Whether a line charges an item in advance. */
export const chargesItem = (line: DocumentLine, item: ChargeItem): boolean =>
	line.chargeId !== null && isPeriodCharge(line) && isSameSubject(subjectOfLine(line), subjectOfItem(item));

/** Whether a line charges a one-time item. */
export const chargesOnce = (line: DocumentLine, item: ChargeItem): boolean =>
	line.chargeId === null &&
	inAdvance.has(line.kind) &&
	line.periodStart === null &&
	isSameSubject(subjectOfLine(line), subjectOfItem(item));

const subjectOfItem = ({ addonRefId = null, featureRefId = null, charge }: ChargeItem): Subject => ({
	addonRefId,
	featureRefId,
	billingModel: charge.billingModel,
});

/** Whether a line charges a subject for a part of a period. */
const chargesSome = (time: Period, subject: Subject, { line }: IssuedLine): boolean =>
	isPeriodCharge(line) &&
	line.periodStart !== null &&
	line.periodEnd !== null &&
	line.periodStart < time.end &&
	line.periodEnd > time.start &&
	isSameSubject(subjectOfLine(line), subject);

/** Yields charges that stand on two documents, and periods of a subscription that start on two of them. */
export function* chargedTwice(lines: readonly IssuedLine[]): Generator<string> {
	const known = new Map<string, IssuedLine>();
	for (const one of lines) {
		const { line, invoice } = one;
		if (!invoice || !isPeriodCharge(line)) continue;
		const { addonRefId, featureRefId, billingModel } = subjectOfLine(line);
		const keys = [
			...(line.chargeId === null ? [] : [line.chargeId]),
			...(line.basis?.continues === undefined
				? []
				: [[invoice.subscriptionId, addonRefId, featureRefId, billingModel, line.periodStart].join()]),
		];
		const other = keys.map((key) => known.get(key)).find((found) => found && found.documentId !== one.documentId);
		if (other) yield `${one.named}: charged twice, by ${other.named} too`;
		for (const key of keys) known.set(key, one);
	}
}

/** Yields periods that were not charged although the charge before and after them continues. */
export function* skippedPeriods(lines: readonly IssuedLine[]): Generator<string> {
	for (const one of lines) {
		const { line } = one;
		const continues = line.basis?.continues;
		if (continues === undefined || line.periodStart === null) continue;
		const before = { start: continues, end: line.periodStart };
		const subject = subjectOfLine(line);
		if (!lines.some((other) => chargesSome(before, subject, other)))
			yield `${one.named}: the period before it, ${formatPeriod(before)}, is on no invoice`;
	}
}

/**
 * Yields charges that a subscription stores for its current or last period, but that no document has, or has
 * differently.
 */
export function* uninvoicedCharges(
	named: string,
	charged: ChargedPeriod | null,
	lines: readonly IssuedLine[],
): Generator<string> {
	if (!charged || chargedElsewhere(charged)) return;
	const time = { start: chargedFrom(charged), end: charged.period.end };
	for (const item of charged.items) {
		const { charge, quantity, addonRefId = null, featureRefId = null, chargeId, description } = item;
		if (currencyOfCharge(charge) === undefined) continue;
		const subject = { addonRefId, featureRefId, billingModel: charge.billingModel };
		const found = lines.filter((one) => chargesSome(time, subject, one));
		if (found.length === 0) {
			yield `${named}: ${description} counts as charged for ${formatPeriod(time)}, expected on an invoice, found on none`;
			continue;
		}
		const own = found.find(({ line }) => line.chargeId !== null && line.chargeId === chargeId);
		const kept = own?.line.basis;
		if (!own || !kept?.charge) continue;
		const [stated, held] = [termsOf(kept.charge, kept.quantity, own.line.taxes), termsOf(charge, quantity, item.taxes)];
		if (stated !== held) yield `${own.named}: was charged by ${stated}, ${named} holds ${held}`;
	}
}

const termsOf = (
	{ price, tiers, tiersMode, blockSize }: Pick<ChargeItem["charge"], "price" | "tiers" | "tiersMode" | "blockSize">,
	quantity: Decimal,
	taxes: readonly AppliedTax[] | null | undefined,
): string => {
	const taxed = taxes?.map(({ taxId, percentage, isInclusive }) => [taxId, percentage, isInclusive]) ?? [];
	return `${quantity} × ${JSON.stringify({ price, tiers, tiersMode, blockSize, ...(taxed.length > 0 && { taxes: taxed }) })}`;
};

/** The part of a usage window that a document billed. */
export interface BilledStep {
	readonly named: string;
	readonly documentId: string;
	readonly from: Decimal;
	readonly to: Decimal;
}

/** A window of usage, as lines name it. */
interface WindowOfLines {
	readonly kind: "usage" | "overage";
	readonly featureRefId: string;
	readonly windowStart: Instant;
	/** The length of the window, where its price has one of its own. */
	readonly interval?: BillingPeriod;
}

/** Returns the lines of a window: its usage, and what it lacked to its minimum. */
export function linesOfWindow(
	lines: readonly IssuedLine[],
	{ kind, featureRefId, windowStart, interval }: WindowOfLines,
): IssuedLine[] {
	const lineKind = kind === "usage" ? "PayAsYouGoCharge" : "OverageCharge";
	const isOfKind = ({ kind: own, basis }: DocumentLine): boolean =>
		own === lineKind || (basis?.trueUp !== undefined && (basis.charge?.isOverage ?? false) === (kind === "overage"));
	// Windows of several lengths can start together. Overage has the windows of its limit.
	const isOfLength = ({ basis }: DocumentLine): boolean =>
		kind === "overage" || basis?.charge?.priceTerms?.chargeInterval === interval;
	return lines.filter(
		({ line }) =>
			isOfKind(line) && isOfLength(line) && line.featureRefId === featureRefId && line.periodStart === windowStart,
	);
}

/** Returns the steps of a window's lines; undefined if one was issued by a release that did not store its basis. */
export function stepsOf(lines: readonly IssuedLine[], window: WindowOfLines): BilledStep[] | undefined {
	const own = linesOfWindow(lines, window).filter(({ line }) => !line.basis?.trueUp);
	return own.some(({ line }) => line.basis === null) ? undefined : stepsOfLines(own);
}

export function stepsOfLines(own: readonly IssuedLine[]): BilledStep[] {
	const steps = new Map(
		own.map(({ named, documentId, invoice, line: { basis } }) => {
			const [from, to] = [basis?.billed ?? zero, basis?.quantity ?? zero];
			// Lines of several prices of one usage are separate; a credit at an end may be split over several notes.
			return [[invoice ? documentId : "notes", from, to].join(), { named, documentId, from, to }];
		}),
	);
	return [...steps.values()].sort((one, other) => exact(one.from).cmp(other.from) || exact(one.to).cmp(other.to));
}

/** Yields differences between the amount and tax that a window counts as charged, and its lines. */
export function* amountDifferences(
	named: string,
	lines: readonly IssuedLine[],
	charged: Readonly<Record<"amount" | "tax", Decimal>>,
): Generator<string> {
	for (const what of ["amount", "tax"] as const) {
		const found = sum(lines.map(({ line }) => exact(line[what])));
		if (found.eq(charged[what])) continue;
		const counted = `${what === "tax" ? "tax of " : ""}${charged[what]}`;
		yield `${named}: ${counted} counts as charged, its lines make ${found.toFixed()}`;
	}
}

/**
 * Yields gaps between the bills of a window: each bill starts where the one before ended, and the last one ends at the
 * recorded quantity. Overage within the limit is not billed, so its bills may start later, but never earlier.
 */
export function* windowDifferences(
	named: string,
	kind: "usage" | "overage",
	steps: readonly BilledStep[],
	recorded: Decimal,
): Generator<string> {
	let reached: Decimal = zero;
	for (const step of steps) {
		const [from, expected] = [exact(step.from), exact(reached)];
		if (from.lt(expected)) yield `${step.named}: bills from ${step.from} on, expected from ${reached}: billed twice`;
		if (kind === "usage" && from.gt(expected))
			yield `${step.named}: bills from ${step.from} on, expected from ${reached}: what lies between is on no invoice`;
		reached = step.to;
	}
	const isFurther = kind === "usage" ? !exact(reached).eq(recorded) : exact(reached).gt(recorded);
	if (isFurther) yield `${named}: ${recorded} counts as billed, its invoices bill ${reached}`;
}

export const formatPeriod = ({ start, end }: Period): string => `${toIso(start)} to ${toIso(end)}`;
