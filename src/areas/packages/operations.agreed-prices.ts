import { fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { featuresByIds } from "../features/operations";
import { segmentationId } from "../pricing/models/segment";
import { transactionPriceId } from "../pricing/models/transaction-price-id";
import { assertMetered } from "./charges/operations.metering";
import { viewPriceTerms } from "./charges/rules.price-terms";
import { insertAgreedPrices, type NewAgreedPrice, selectAgreedPrices, selectPriceTerms } from "./charges/store";
import { periodPath, pricingAt } from "./rules.field-paths";
import type { ChargeRow } from "./table";

/** A price that a subscription agreed on, in place of the catalogue's. */
type AgreedPrice = Pick<ChargeRow, "featureId" | "priceTerms">;

/** Our limit: each price costs time for each event of the feature. */
const agreedMax = 100;

/** Our limit for all features of an environment: the thread that counts has these prices in memory. */
const agreedBytesMax = 4 * 1024 * 1024;

/**
 * Throws the errors of the catalogue for prices that the meter of their feature cannot count, and BadUserInput for more prices of one
 * feature than Tollgate counts. `where` is their path.
 */
export function assertCountable(work: Work, where: string, prices: readonly AgreedPrice[]): void {
	const features = featuresByIds(
		work,
		prices.flatMap(({ featureId }) => featureId ?? []),
	);
	for (const { featureId, priceTerms } of prices) {
		const feature = features.get(featureId ?? "");
		if (!feature || !priceTerms) continue;
		const { variants: shown = [], ...terms } = viewPriceTerms(priceTerms);
		const variants = shown.map(({ id, match }) => ({ id, match }));
		const rows = [{ ...terms, variants, billingPeriod: "MONTHLY" as const }];
		pricingAt(
			where,
			() => assertMetered(work, where, feature, { billingModel: "USAGE_BASED", ...terms, pricePeriods: rows }),
			periodPath(where, 0),
		);
	}
	const held = selectAgreedPrices(work);
	const added = newPrices(work, prices);
	for (const { featureId } of added) {
		const count = [...held, ...added].filter((one) => one.featureId === featureId).length;
		if (count > agreedMax)
			throw fail(
				"BadUserInput",
				`${where}: Tollgate counts at most ${agreedMax} agreed prices of '${features.get(featureId)?.refId}' by transaction or by dimension; agree on one that another subscription or a plan has.`,
			);
	}
	if (added.length === 0) return;
	const bytes = [...held, ...added].reduce((sum, { terms }) => sum + Buffer.byteLength(JSON.stringify(terms)), 0);
	if (bytes > agreedBytesMax)
		throw fail(
			"BadUserInput",
			`${where}: the agreed prices of all subscriptions, by transaction or by dimension, would take ${bytes} bytes; the most is ${agreedBytesMax}. Match fewer values, or agree on a price that another subscription or a plan has.`,
		);
}

/** Makes Tollgate count the events of prices that a subscription agreed on. */
export const recordAgreedPrices = (work: Work, prices: readonly AgreedPrice[]): void =>
	insertAgreedPrices(work, newPrices(work, prices));

/** Returns the counted prices that are not counted yet. */
function newPrices(work: Work, prices: readonly AgreedPrice[]): NewAgreedPrice[] {
	const asked = prices.flatMap(countedTerms);
	if (asked.length === 0) return [];
	const known = new Set(selectPriceTerms(work).flatMap(countedTerms).map(keyOf));
	return asked.filter((one) => !known.has(keyOf(one)));
}

const keyOf = ({ featureId, priceId }: NewAgreedPrice): string => `${featureId}/${priceId}`;

/** Returns the terms by which a price counts events in addition to the meter of its feature. */
function countedTerms({ featureId, priceTerms }: AgreedPrice): NewAgreedPrice[] {
	const { transactionPrice, segments } = priceTerms ?? {};
	if (featureId === null) return [];
	if (transactionPrice)
		return [{ featureId, priceId: transactionPriceId(transactionPrice), terms: { transactionPrice } }];
	if (!segments) return [];
	const variants = segments.variants.map(({ id, match }) => ({ id, match, ...unpriced }));
	return [{ featureId, priceId: segmentationId(segments), terms: { segments: { ...segments, variants } } }];
}

/** How events are divided does not depend on what they cost. */
const unpriced = { price: null, tiers: null, tiersMode: null, blockSize: null };
