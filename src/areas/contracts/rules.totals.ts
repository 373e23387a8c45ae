import { exact } from "../../kernel/decimal";
import { sumTotals, type Totals } from "../pricing/totals";
import type { RatedItem } from "./billing/rules.cycles";
import { itemTotals } from "./billing/rules.schedule";

/** The values without lines; for the two ids also the values if lines differ. */
export type DefaultTerms = Pick<
	RatedItem,
	"currency" | "legalEntityId" | "paymentAccountId" | "activationStartAt" | "activationEndAt"
>;

export interface ItemTotals extends Totals {
	readonly itemId: string;
	readonly name: string;
}

/**
 * The totals of a contract. A term on which lines differ is null, except for the two ids (docs/interface/contracts.md).
 */
export interface TermTotals extends Totals, DefaultTerms {
	readonly items: readonly ItemTotals[];
	readonly netTerms: number | null;
}

/**
 * Returns the totals of the whole term. Each line is rounded once for each cycle, as on its invoice; totals are sums of
 * lines (docs/interface/contracts.md).
 */
export function termTotals(lines: readonly RatedItem[], defaults: DefaultTerms): TermTotals {
	const items = lines.map((item) => ({ itemId: item.id, name: item.name, ...itemTotals(item) }));
	const [first] = lines;
	const issuer = {
		legalEntityId: agreed(lines, "legalEntityId"),
		paymentAccountId: agreed(lines, "paymentAccountId"),
	};
	const { legalEntityId, paymentAccountId } = issuer.legalEntityId && issuer.paymentAccountId ? issuer : defaults;
	return {
		...sumTotals(items),
		items,
		currency: first?.currency ?? defaults.currency,
		activationStartAt: first ? agreed(lines, "activationStartAt") : defaults.activationStartAt,
		activationEndAt: first ? agreed(lines, "activationEndAt") : defaults.activationEndAt,
		netTerms: agreed(lines, "netTerms"),
		legalEntityId: legalEntityId ?? defaults.legalEntityId,
		paymentAccountId: paymentAccountId ?? defaults.paymentAccountId,
	};
}

/** The largest total for which a JSON number is exact to the cent. */
const totalMax = 9e13;

export const isRepresentable = ({ items, ...sums }: TermTotals): boolean =>
	[...items, sums].every(({ subTotal, total }) => exact(subTotal).lte(totalMax) && exact(total).lte(totalMax));

/** Returns the value that all lines share; null if they differ or there are none. */
function agreed<Key extends keyof RatedItem>(lines: readonly RatedItem[], key: Key): RatedItem[Key] | null {
	const [first, ...rest] = lines.map((line) => line[key]);
	return first !== undefined && rest.every((value) => value === first) ? first : null;
}
