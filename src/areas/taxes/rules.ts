import { type Decimal, exact } from "../../kernel/decimal";
import { fail } from "../../kernel/errors";
import type { TaxStatus, TaxUpdate } from "./schema";
import type { TaxRow } from "./table";

const decimalsMax = 5;

/** Throws BadUserInput for a percentage with more decimals than a tax may have. */
export function assertDecimals(percentage: Decimal): void {
	if (exact(percentage).round(decimalsMax).eq(percentage)) return;
	throw fail("BadUserInput", `'percentage' has more than ${decimalsMax} decimals; got ${percentage}. Send fewer.`);
}

export const taxStatus = ({ archivedAt }: Pick<TaxRow, "archivedAt">): TaxStatus =>
	archivedAt === null ? "ACTIVE" : "ARCHIVED";

/** Throws InvalidArgumentError if a change names another value of a field that is fixed for good. */
export function assertSameTerms(tax: TaxRow, change: TaxUpdate): void {
	const isChanged = {
		percentage: change.percentage !== undefined && !exact(tax.percentage).eq(change.percentage),
		isInclusive: change.isInclusive !== undefined && change.isInclusive !== tax.isInclusive,
		country: change.country !== undefined && change.country !== tax.country,
		code: change.code !== undefined && change.code !== tax.code,
	};
	const [changed] = Object.entries(isChanged).find(([, is]) => is) ?? [];
	if (changed === undefined) return;
	throw fail(
		"InvalidArgumentError",
		`'${changed}' of tax '${tax.refId}' cannot change, since documents refer to it; create another tax, and archive this one.`,
	);
}

/**
 * Throws if the taxes at `place` of a request cannot be used: InvalidArgumentError for an unknown one and for one that is named twice,
 * EntityIsArchivedError for an archived one. Taxes in `kept` were assigned before, and may be archived since.
 */
export function assertAssignable(
	place: string,
	refs: readonly string[],
	known: ReadonlyMap<string, TaxRow>,
	kept: readonly string[],
): void {
	for (const [at, ref] of refs.entries()) {
		const tax = known.get(ref);
		if (!tax)
			throw fail(
				"InvalidArgumentError",
				`'${place}[${at}]': there is no tax '${ref}' in this environment; create it first by POST /api/v1/taxes.`,
			);
		if (refs.indexOf(ref) !== at)
			throw fail("InvalidArgumentError", `'${place}[${at}]' names the tax '${ref}' twice; name it once.`);
		if (tax.archivedAt !== null && !kept.includes(ref))
			throw fail("EntityIsArchivedError", `'${place}[${at}]': the tax '${ref}' is archived; choose an active one.`);
	}
}
