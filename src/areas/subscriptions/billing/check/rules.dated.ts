import { type Instant, toIso } from "../../../../kernel/clock";
import { exact } from "../../../../kernel/decimal";
import type { PeriodOfCharge } from "../../../billing/rules.billed";
import type { ChargeCreditRow } from "../../../billing/table";
import type { IssuedLine } from "../../../invoices/check/operations.documents";
import type { SubscriptionRow } from "../../table";
import type { SubscriptionDatedChangeRow } from "../../table.changes";
import { inAdvance } from "../charged";
import { formatPeriod, isPeriodCharge } from "./rules";
import { amountDifferences } from "./rules.charges";
import { overlappingWindows, reversedDifferences } from "./rules.reversed";

type Credited = PeriodOfCharge & { readonly credit: ChargeCreditRow };

interface Billed {
	readonly bills: readonly PeriodOfCharge[];
	readonly credited: readonly Credited[];
	readonly lines: readonly IssuedLine[];
	/** The bills of the subscriptions that it replaced, which its invoices settle. */
	readonly settled?: readonly PeriodOfCharge[];
}

/**
 * Yields the differences that a change with an earlier date has left: time that the former and the new terms both charge, amounts of past
 * periods that their lines do not have, lines that no charge has, and a date that the present terms do not know.
 */
export function* datedDifferences(
	named: string,
	{ status, termsChangedAt }: Pick<SubscriptionRow, "status" | "termsChangedAt">,
	changes: readonly Pick<SubscriptionDatedChangeRow, "effectiveAt" | "createdAt">[],
	{ bills, credited, lines, settled = [] }: Billed,
): Generator<string> {
	const last = changes.at(-1);
	if (!last) return;
	for (const { effectiveAt, createdAt } of changes)
		if (effectiveAt >= createdAt)
			yield `${named}: a change of ${toIso(createdAt)} applies from ${toIso(effectiveAt)}, expected an earlier time`;
	if (status === "ACTIVE" && (termsChangedAt ?? last.effectiveAt) < last.effectiveAt)
		yield `${named}: its last change applies from ${toIso(last.effectiveAt)}, and its terms from ${toIso(termsChangedAt ?? last.effectiveAt)}`;
	const advance = bills.filter(({ charge, period }) => charge.key.startsWith(inAdvance) && period.state === "BILLED");
	yield* chargedTwice(named, advance, credited);
	yield* overlappingWindows(named, bills);
	const calls = new Set(changes.map(({ createdAt }) => createdAt));
	yield* reversedDifferences(named, calls, credited, lines);
	const recorded = advance.filter(({ period }) => calls.has(period.createdAt) && period.invoiceId !== null);
	for (const { charge, period } of recorded)
		if (period.lineChargeId !== null) yield* amountDifferences(`${named}, ${charge.key}`, period, lines);
	const documents = new Set(recorded.map(({ period }) => period.invoiceId));
	const known = new Set([...bills, ...credited, ...settled].map(({ period }) => period.lineChargeId));
	for (const { named: line, line: stated, documentId } of lines)
		if (documents.has(documentId) && isPeriodCharge(stated) && stated.chargeId !== null && !known.has(stated.chargeId))
			yield `${line}: charges time that no charge of ${named} has`;
}

/** Yields time that two charges of one key charge, and that no credit has reversed. */
function* chargedTwice(
	named: string,
	advance: readonly PeriodOfCharge[],
	credited: readonly Credited[],
): Generator<string> {
	const keyOf = ({ period }: PeriodOfCharge): string => `${period.chargeId}/${period.startsAt}/${period.revision}`;
	const ends = new Map(credited.map((one) => [keyOf(one), one.credit.fromAt]));
	for (const [key, alike] of Map.groupBy(advance.filter(isCreditable), ({ charge }) => charge.key)) {
		let before: { readonly start: Instant; readonly end: Instant } | undefined;
		for (const one of alike.toSorted((a, b) => a.period.startsAt - b.period.startsAt)) {
			const time = { start: one.period.startsAt, end: ends.get(keyOf(one)) ?? one.period.endsAt };
			if (before && time.start < before.end)
				yield `${named}, ${key}: charges ${formatPeriod(time)} in addition to ${formatPeriod(before)}`;
			if (!before || time.end > before.end) before = time;
		}
	}
}

/** Charges that are never credited, and those that a credit note by hand has credited, stay when others follow. */
const isCreditable = ({ charge: { prorationMode, terms }, period: { left } }: PeriodOfCharge): boolean =>
	(left === null || exact(left.part).gt(0)) &&
	prorationMode !== "NONE" &&
	!(terms && "item" in terms && terms.item.refundsUnusedTime === false);
