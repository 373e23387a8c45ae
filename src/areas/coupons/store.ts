import { and, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import { createdWithin, type Page, readTablePage } from "../../kernel/page";
import { queryValues } from "../../kernel/query";
import { beginsWith, foundIds } from "../../kernel/search";
import { amongIds, archivedAs, changeRow, idsIn, insertRow, newRow } from "../../kernel/storage/rows";
import type { Transaction, Work } from "../../kernel/work";
import { emitCouponEvent } from "./events";
import type { CouponListQuery } from "./schema";
import { type CouponRow, coupons } from "./table";

const inEnvironment = ({ actor }: Work): SQL => eq(coupons.environmentId, actor.environmentId);

/** Ad-hoc discounts live with their subscription and are hidden from the catalogue (docs/interface/catalogue.md). */
const inCatalogue = (work: Work): SQL | undefined =>
	and(inEnvironment(work), inArray(coupons.source, ["TOLLGATE", "STRIPE"]));

export const findCoupon = (work: Work, refId: string): CouponRow | undefined =>
	work.tx
		.select()
		.from(coupons)
		.where(and(inEnvironment(work), eq(coupons.refId, refId)))
		.get();

const couponsAmong = (tx: Transaction) =>
	tx.select().from(coupons).where(amongIds(coupons.environmentId, coupons.id)).prepare();

export const selectCoupons = (work: Work, ids: readonly string[]): CouponRow[] =>
	ids.length === 0 ? [] : work.remembered(couponsAmong).all(idsIn(work, ids));

const foundBy = (work: Work, text: string): SQL =>
	foundIds(
		coupons.id,
		coupons,
		[beginsWith(coupons.refId, text), beginsWith(sql`${coupons.name} collate nocase`, text)].map((condition) =>
			and(inCatalogue(work), condition),
		),
	);

const isOfType = {
	FIXED: isNotNull(coupons.amountsOff),
	PERCENTAGE: isNotNull(coupons.percentOff),
	FREE_UNITS: isNotNull(coupons.freeUnits),
};

export const pageCoupons = (work: Work, query: CouponListQuery): Page<CouponRow> =>
	readTablePage(work, query, coupons, inCatalogue(work), [
		query.id === undefined ? undefined : eq(coupons.refId, query.id),
		query.search === undefined ? undefined : foundBy(work, query.search),
		archivedAs(coupons.archivedAt, queryValues(query.status)),
		query.type && isOfType[query.type],
		...createdWithin(query, coupons.createdAt),
	]);

export function insertCoupon(
	work: Work,
	coupon: Omit<CouponRow, "id" | "environmentId" | "archivedAt" | "createdAt" | "updatedAt">,
): CouponRow {
	const row = insertRow(work, coupons, { ...coupon, ...newRow(work) });
	emitCouponEvent(work, "coupon.created", row);
	return row;
}

export function saveCoupon(
	work: Work,
	{ id }: CouponRow,
	changes: Partial<Pick<CouponRow, "name" | "description" | "metadata" | "archivedAt">>,
): CouponRow {
	const row = changeRow(work, coupons, id, { ...changes, updatedAt: work.now });
	emitCouponEvent(work, changes.archivedAt == null ? "coupon.updated" : "coupon.archived", row);
	return row;
}
