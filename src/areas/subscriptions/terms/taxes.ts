import { toDecimal } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { assertTaxes } from "../../taxes/operations";
import type { SubscriptionRow } from "../table";

/** The members of a request that choose the tax of a subscription. */
interface TaxRequest {
	readonly taxes?: readonly string[] | null;
	readonly billingInformation?:
		| { readonly taxPercentage?: number; readonly taxRateIds?: readonly string[] }
		| undefined;
}

/** Returns the columns that a request changes: taxes and a percentage replace each other. */
export function taxColumns(request: TaxRequest): Partial<Pick<SubscriptionRow, "taxes" | "taxPercentage">> {
	const { taxPercentage } = request.billingInformation ?? {};
	const { refs } = namedTaxes(request);
	if (refs !== undefined) return { taxes: refs && [...refs], ...(refs !== null && { taxPercentage: null }) };
	return taxPercentage === undefined ? {} : { taxPercentage: toDecimal(taxPercentage), taxes: null };
}

/** Returns the taxes that a request names, and their place. The interface names them in `taxRateIds`; an empty list names none. */
function namedTaxes({ taxes, billingInformation }: TaxRequest) {
	const { taxRateIds = [] } = billingInformation ?? {};
	if (taxes !== undefined) return { place: "taxes", refs: taxes };
	return { place: "billingInformation.taxRateIds", refs: taxRateIds.length > 0 ? taxRateIds : undefined };
}

/**
 * Throws BadUserInput for two ways to name the tax, InvalidArgumentError for an unknown tax, EntityIsArchivedError for an archived one
 * that the subscription does not have.
 */
export function assertRequestedTaxes(work: Work, request: TaxRequest, held: readonly string[] | null = null): void {
	const { taxPercentage, taxRateIds = [] } = request.billingInformation ?? {};
	const { place, refs } = namedTaxes(request);
	if (request.taxes != null && taxRateIds.length > 0)
		throw fail("BadUserInput", "'taxes' and 'billingInformation.taxRateIds' both name taxes; send one of them.");
	if (refs != null && taxPercentage !== undefined)
		throw fail(
			"BadUserInput",
			`'${place}' names taxes, and 'billingInformation.taxPercentage' replaces them; send one of them.`,
		);
	assertTaxes(work, place, refs, held);
}
