import { and, asc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { type Page, type PageQuery, readTablePage } from "../../../kernel/page";
import { amongIds, idsIn, insertRows } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { agreedPrices, type ChargeRow, charges } from "../table";
import { selectCreditPricedInPhases, selectEnvironmentsPricedInPhases, selectPriceTermsOfPhases } from "./store.phases";

const inEnvironment = ({ actor }: Work): SQL => eq(charges.environmentId, actor.environmentId);

const creditPriced = (tx: Transaction) =>
	tx
		.selectDistinct({ featureId: charges.featureId })
		.from(charges)
		.where(
			and(
				eq(charges.environmentId, sql.placeholder("environmentId")),
				isNotNull(charges.creditCurrencyId),
				isNotNull(charges.featureId),
				eq(charges.billingModel, "CREDIT_BASED"),
			),
		)
		.prepare();

/** Returns the row ids of the features that any draft or published version prices in credits. */
export const selectCreditPriced = (work: Work): Array<{ readonly featureId: string | null }> => [
	...work.remembered(creditPriced).all({ environmentId: work.actor.environmentId }),
	...selectCreditPricedInPhases(work),
];

const pricedEnvironments = (tx: Transaction) =>
	tx
		.selectDistinct({ environmentId: charges.environmentId })
		.from(charges)
		.where(and(isNotNull(charges.creditCurrencyId), isNotNull(charges.featureId)))
		.prepare();

/** Returns the environments in which any version prices a feature in credits. */
export const selectCreditPricedEnvironments = (work: Work): Array<{ readonly environmentId: string }> => [
	...work.remembered(pricedEnvironments).all(),
	...selectEnvironmentsPricedInPhases(work),
];

const withPriceTerms = (tx: Transaction) =>
	tx
		.select({ featureId: charges.featureId, priceTerms: charges.priceTerms })
		.from(charges)
		.where(and(eq(charges.environmentId, sql.placeholder("environmentId")), isNotNull(charges.priceTerms)))
		.prepare();

/**
 * Returns the terms of the charges of all drafts and published versions that have some, and of prices that subscriptions agreed on.
 * Both are never deleted.
 */
export const selectPriceTerms = (work: Work): Array<Pick<ChargeRow, "featureId" | "priceTerms">> => [
	...work.remembered(withPriceTerms).all({ environmentId: work.actor.environmentId }),
	...selectPriceTermsOfPhases(work),
	...selectAgreedPrices(work).map(({ featureId, terms }) => ({ featureId, priceTerms: terms })),
];

const agreed = (tx: Transaction) =>
	tx
		.select()
		.from(agreedPrices)
		.where(eq(agreedPrices.environmentId, sql.placeholder("environmentId")))
		.prepare();

export const selectAgreedPrices = (work: Work) =>
	work.remembered(agreed).all({ environmentId: work.actor.environmentId });

/** Adds prices that a subscription agreed on; keeps those that are there. */
export function insertAgreedPrices(work: Work, rows: ReadonlyArray<NewAgreedPrice>): void {
	const { environmentId } = work.actor;
	if (rows.length === 0) return;
	work.tx
		.insert(agreedPrices)
		.values(rows.map((row) => ({ ...row, environmentId, createdAt: work.now })))
		.onConflictDoNothing()
		.run();
}

export type NewAgreedPrice = Omit<typeof agreedPrices.$inferSelect, "environmentId" | "createdAt">;

export const selectCharges = (work: Work, versionId: string): ChargeRow[] => selectChargesOf(work, [versionId]);

const chargesAmong = (tx: Transaction) =>
	tx
		.select()
		.from(charges)
		.where(amongIds(charges.environmentId, charges.versionId))
		.orderBy(asc(charges.id))
		.prepare();

export const selectChargesOf = (work: Work, versionIds: readonly string[]): ChargeRow[] =>
	versionIds.length === 0 ? [] : work.remembered(chargesAmong).all(idsIn(work, versionIds));

export const pageCharges = (work: Work, versionId: string, isOverage: boolean, query: PageQuery): Page<ChargeRow> =>
	readTablePage(
		work,
		query,
		charges,
		and(inEnvironment(work), eq(charges.versionId, versionId), eq(charges.isOverage, isOverage)),
	);

export type NewCharge = Omit<ChargeRow, "id" | "environmentId" | "versionId" | "createdAt">;

/** Replaces all charges of the draft with `rows`. */
export function replaceCharges(work: Work, versionId: string, rows: readonly NewCharge[]): void {
	const { environmentId } = work.actor;
	deleteCharges(work, versionId);
	insertRows(
		work,
		charges,
		// A copied row brings its own id and version, so the new ones come last and override them.
		rows.map((row) => ({ ...row, id: work.newId(), environmentId, versionId, createdAt: work.now })),
	);
}

export const deleteCharges = (work: Work, versionId: string): void => {
	work.tx
		.delete(charges)
		.where(and(inEnvironment(work), eq(charges.versionId, versionId)))
		.run();
};

/** Copies all charges of one version to another, in the same order. */
export function copyCharges(work: Work, fromVersionId: string, toVersionId: string): void {
	replaceCharges(work, toVersionId, selectCharges(work, fromVersionId));
}
