import { HttpRefusal } from "../../http/refusal";
import { type Decimal, toDecimal } from "../../kernel/decimal";
import { fail } from "../../kernel/errors";
import type { Page } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { findEnvironment } from "../access/operations";
import type { AppliedTax } from "../pricing/tax";
import { assertAssignable, assertDecimals, assertSameTerms } from "./rules";
import type { Taxation } from "./rules.levels";
import type { TaxCreate, TaxListQuery, TaxUpdate } from "./schema";
import { hasTaxes, insertTax, pageTaxes, saveTax, selectTaxes, selectTaxesByIds } from "./store";
import type { TaxRow } from "./table";

/** Throws 404 for an unknown tax. The interface has no code for it. */
export function getTax(work: Work, refId: string): TaxRow {
	const [tax] = selectTaxes(work, [refId]);
	if (!tax) throw new HttpRefusal(404, `There is no tax '${refId}' in this environment; see GET /api/v1/taxes.`);
	return tax;
}

export const taxesByIds = (work: Work, ids: readonly string[]): Map<string, TaxRow> =>
	new Map(selectTaxesByIds(work, ids).map((tax) => [tax.id, tax]));

export const listTaxes = (work: Work, query: TaxListQuery): Page<TaxRow> => pageTaxes(work, query);

/** Throws BadUserInput for a sixth decimal, DuplicatedEntityNotAllowed for an id in use. */
export function createTax(work: Work, input: TaxCreate): TaxRow {
	const { id: refId, displayName, isInclusive = false, country = null, code = null } = input;
	const percentage = toDecimal(input.percentage);
	assertDecimals(percentage);
	if (selectTaxes(work, [refId]).length > 0)
		throw fail("DuplicatedEntityNotAllowed", `There is a tax '${refId}' already; choose another id.`);
	return insertTax(work, { refId, displayName, percentage, isInclusive, country, code });
}

/** Changes the name, also of an archived tax. Throws InvalidArgumentError for a change of any other field. */
export function updateTax(work: Work, refId: string, change: TaxUpdate): TaxRow {
	const tax = getTax(work, refId);
	assertSameTerms(tax, change);
	return change.displayName === undefined ? tax : saveTax(work, tax, { displayName: change.displayName });
}

/** Archives a tax: it applies where it was assigned, and cannot be assigned again. Archiving twice changes nothing. */
export function archiveTax(work: Work, refId: string): TaxRow {
	const tax = getTax(work, refId);
	return tax.archivedAt === null ? saveTax(work, tax, { archivedAt: work.now }) : tax;
}

/** Throws if the taxes at `place` of a request cannot be used (`assertAssignable`). */
export function assertTaxes(
	work: Work,
	place: string,
	refs: readonly string[] | null | undefined,
	kept: readonly string[] | null = null,
): void {
	if (refs == null || refs.length === 0) return;
	const known = new Map(selectTaxes(work, refs).map((tax) => [tax.refId, tax]));
	assertAssignable(place, refs, known, kept ?? []);
}

/** The owner of a bill, and the customer who pays it. */
interface Taxed {
	readonly taxes: readonly string[] | null;
	readonly taxPercentage: Decimal | null;
}
type Payer = Pick<Taxed, "taxes"> & { readonly taxExemption: string | null };

/**
 * Returns the taxes of a bill's lines; undefined if the environment has no tax, so that it needs no further reads. A percentage and an
 * exemption replace all taxes.
 */
export function taxationOf(work: Work, { taxes, taxPercentage }: Taxed, payer: Payer): Taxation | undefined {
	if (!hasTaxes(work)) return undefined;
	if (taxPercentage !== null || payer.taxExemption !== null) return { own: [], inherited: null };
	const { taxes: ofEnvironment = null, taxRounding } = findEnvironment(work, work.actor.environmentId) ?? {};
	return {
		own: appliedTaxes(work, taxes),
		inherited: appliedTaxes(work, payer.taxes ?? ofEnvironment),
		...(taxRounding && { rounding: taxRounding }),
	};
}

/** Returns the taxes with these ids in this order, as a line keeps them; null for null. */
export function appliedTaxes(work: Work, refs: readonly string[] | null): AppliedTax[] | null {
	if (refs === null) return null;
	const known = new Map(selectTaxes(work, refs).map((tax) => [tax.refId, tax]));
	return refs.flatMap((ref) => {
		const tax = known.get(ref);
		return tax ? [appliedTax(tax)] : [];
	});
}

const appliedTax = ({ refId, displayName, percentage, isInclusive }: TaxRow): AppliedTax => ({
	taxId: refId,
	displayName,
	percentage,
	isInclusive,
});
