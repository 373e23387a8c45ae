import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { type Big, exact, sum, toDecimal } from "../../kernel/decimal";
import { insertRow } from "../../kernel/storage/rows";
import type { Work } from "../../kernel/work";
import { type UsingDocument, type UsingLine, usesOf } from "./rules.uses";
import { type CouponUseRow, couponUses } from "./table";

/** Records the uses of coupons by lines that are added to a document, in the transaction that stores the lines. */
export function recordUses(work: Work, document: UsingDocument, lines: readonly UsingLine[]): void {
	const { environmentId } = work.actor;
	const uses = usesOf(document, lines);
	if (uses.size === 0) return;
	const known = usesOfDocuments(work, [document.id]);
	removeUses(work, [document.id]);
	const before = new Map(known.map(({ applicationId, amount }) => [applicationId, exact(amount)]));
	for (const applicationId of new Set([...before.keys(), ...uses.keys()])) {
		const amount = sum([before, uses].flatMap((of) => of.get(applicationId) ?? []));
		const row = { environmentId, applicationId, documentId: document.id, currency: document.currency };
		insertRow(work, couponUses, { ...row, amount: toDecimal(amount) });
	}
}

/** Removes the uses of documents that are canceled, voided or issued. */
export function removeUses(work: Work, documentIds: readonly string[]): void {
	if (documentIds.length === 0) return;
	work.tx
		.delete(couponUses)
		.where(
			and(eq(couponUses.environmentId, work.actor.environmentId), inArray(couponUses.documentId, [...documentIds])),
		)
		.run();
}

const usesOfDocuments = (work: Work, documentIds: readonly string[]): CouponUseRow[] =>
	work.tx
		.select()
		.from(couponUses)
		.where(
			and(eq(couponUses.environmentId, work.actor.environmentId), inArray(couponUses.documentId, [...documentIds])),
		)
		.all();

/** Uses in memory at once. */
const usesAtOnceMax = 500;

/** Returns the next recorded uses, in the order of applications and documents. */
export const pageUses = ({ tx, actor }: Work, after: CouponUseRow | undefined): CouponUseRow[] =>
	tx
		.select()
		.from(couponUses)
		.where(
			and(
				eq(couponUses.environmentId, actor.environmentId),
				after &&
					sql`(${couponUses.applicationId}, ${couponUses.documentId}) > (${after.applicationId}, ${after.documentId})`,
			),
		)
		.orderBy(asc(couponUses.applicationId), asc(couponUses.documentId))
		.limit(usesAtOnceMax)
		.all();

/** Returns the used amounts of applied coupons, by application and currency. */
export function usedAmounts(
	work: Work,
	applicationIds: readonly string[],
): ReadonlyMap<string, ReadonlyMap<string, Big>> {
	if (applicationIds.length === 0) return new Map();
	const rows = work.tx
		.select()
		.from(couponUses)
		.where(
			and(
				eq(couponUses.environmentId, work.actor.environmentId),
				inArray(couponUses.applicationId, [...applicationIds]),
			),
		)
		.all();
	const byApplication = Map.groupBy(rows, ({ applicationId }) => applicationId);
	return new Map([...byApplication].map(([id, uses]) => [id, byCurrency(uses)]));
}

function byCurrency(uses: readonly CouponUseRow[]): Map<string, Big> {
	const groups = Map.groupBy(uses, ({ currency }) => currency);
	return new Map([...groups].map(([currency, of]) => [currency, sum(of.map(({ amount }) => exact(amount)))]));
}
