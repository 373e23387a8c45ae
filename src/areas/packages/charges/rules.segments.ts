import { toWire, toWireOrNull } from "../../../kernel/decimal";
import type { Money } from "../../../kernel/money";
import { anyValue, type PriceVariant, type SegmentedPrice } from "../../pricing/models/segment";
import { refuse } from "../rules.field-paths";
import type { ChargeTier } from "../table";
import type { Charge, PricePeriod, PricingModel, VariantInput } from "./schema";

/** Returns the path of a variant, for messages. */
export const variantPath = (period: string, at: number): string => `${period}.variants[${at}]`;

/** A variant without an id is named by its place. */
export const variantIdAt = ({ id }: VariantInput, at: number): string => id ?? `variant-${at + 1}`;

/** Throws BadUserInput for variants and groups that the price cannot have, and for variants that contradict each other. */
export function assertSegments(
	where: string,
	isUsage: boolean,
	{ groupBy, chargesFlatPriceUnused }: Pick<PricingModel, "groupBy" | "chargesFlatPriceUnused">,
	{ variants = [], transactionPrice }: Pick<PricePeriod, "variants" | "transactionPrice">,
): void {
	const field = variants.length > 0 ? "variants" : groupBy && groupBy.length > 0 ? "groupBy" : undefined;
	if (!field) return;
	const place = `${where}.${field}`;
	if (!isUsage) throw refuse(place, "divides usage; use it with USAGE_BASED, and neither with top-ups nor overage.");
	if (transactionPrice)
		throw refuse(place, "divides units, and 'transactionPrice' prices each event by itself; leave one of them out.");
	if (chargesFlatPriceUnused)
		throw refuse(
			place,
			"'chargesFlatPriceUnused' is for a price of all usage, and this usage has several; leave it out.",
		);
	if (groupBy && new Set(groupBy).size < groupBy.length)
		throw refuse(place, "names a dimension twice; leave one of them out.");
	assertVariantsDiffer(where, variants);
}

function assertVariantsDiffer(where: string, variants: readonly VariantInput[]): void {
	const ids = new Map<string, number>();
	const matches = new Map<string, number>();
	for (const [at, variant] of variants.entries()) {
		const place = variantPath(where, at);
		for (const [dimension, texts] of Object.entries(variant.match))
			if (texts.includes(anyValue) && texts.length > 1)
				throw refuse(
					`${place}.match`,
					`'${dimension}' has '${anyValue}', which is any value, next to others; leave them out.`,
				);
		const id = variantIdAt(variant, at);
		const named = ids.get(id);
		if (named !== undefined) throw refuse(place, `the id '${id}' names ${variantPath(where, named)} already.`);
		ids.set(id, at);
		const match = JSON.stringify(
			Object.entries(variant.match)
				.map(([dimension, texts]) => [dimension, [...new Set(texts)].sort()] as const)
				.sort(([one], [other]) => (one < other ? -1 : 1)),
		);
		const alike = matches.get(match);
		if (alike !== undefined)
			throw refuse(place, `matches the same as ${variantPath(where, alike)}; leave one of them out.`);
		matches.set(match, at);
	}
}

/** The price fields of a row. */
type UnitPrice = Pick<PriceVariant, "price" | "tiers" | "blockSize">;

/** Returns the variants and groups as they are stored; undefined if usage is not divided. */
export function segmentsOf(
	{
		groupBy = [],
		tiersMode = null,
	}: Pick<PricingModel, "groupBy"> & { readonly tiersMode?: PriceVariant["tiersMode"] },
	variants: readonly VariantInput[],
	unitPriceOf: (variant: VariantInput) => UnitPrice,
): SegmentedPrice | undefined {
	if (variants.length === 0 && groupBy.length === 0) return undefined;
	return {
		variants: variants.map((variant, at) => {
			const { price, tiers, blockSize } = unitPriceOf(variant);
			const id = variantIdAt(variant, at);
			return { id, match: variant.match, price, tiers, tiersMode: tiers ? tiersMode : null, blockSize };
		}),
		groupBy,
	};
}

/** Returns variants and groups as the API shows them; nothing if usage is not divided. */
export const viewSegments = (segments: SegmentedPrice | undefined): Pick<Charge, "variants" | "groupBy"> => ({
	...(segments && segments.variants.length > 0 && { variants: segments.variants.map(viewVariant) }),
	...(segments && segments.groupBy.length > 0 && { groupBy: [...segments.groupBy] }),
});

const viewVariant = ({
	id,
	match,
	price,
	tiers,
	blockSize,
}: PriceVariant): NonNullable<Charge["variants"]>[number] => ({
	id,
	match: Object.fromEntries(Object.entries(match).map(([dimension, texts]) => [dimension, [...texts]])),
	...(price && { price: viewMoney(price) }),
	...(tiers && { tiers: tiers.map(viewTier) }),
	...(blockSize !== null && { blockSize: toWire(blockSize) }),
});

const viewMoney = ({ amount, currency }: Money) => ({ amount: toWire(amount), currency });

const viewTier = ({ upTo, unitPrice, flatPrice }: ChargeTier) => ({
	upTo: toWireOrNull(upTo),
	...(unitPrice && { unitPrice: viewMoney(unitPrice) }),
	...(flatPrice && { flatPrice: viewMoney(flatPrice) }),
});
