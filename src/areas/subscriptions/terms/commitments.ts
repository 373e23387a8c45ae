import { fail } from "../../../kernel/errors";
import type { Money } from "../../../kernel/money";
import { assertWindowsFit } from "../../pricing/commitments/rules.spend-commitment";
import { currencyOfCharge } from "../../pricing/models/charge";
import type { SpendCommitment } from "../../pricing/models/spend-commitment";
import { amountInPhase } from "../../pricing/rules.phases";
import { isBilledHere } from "../rules.due";
import type { SubscriptionRow } from "../table";
import type { EffectivePrice } from "./prices";
import type { Sale } from "./sale";

type Row = Pick<SubscriptionRow, "commitments" | "pricingType" | "paymentCollectionMethod">;

/**
 * Returns the commitments of a subscription, its own or else those of its version, in the currency of its prices. A phase lowers them like
 * the prices. A contract's terms have none.
 */
export function commitmentsOf(row: Row, sale: Sale): SpendCommitment[] {
	const stated = row.commitments ?? sale.plan.commitments ?? [];
	if (stated.length === 0 || sale.billingPeriod === null || !isBilledHere(row)) return [];
	const currency = currencyOf(sale);
	const { percentOff } = sale.phase ?? {};
	return stated
		.filter((one) => one.currency === currency)
		.map((one) => (percentOff === undefined ? one : { ...one, amount: amountInPhase(one.amount, percentOff) }));
}

const currencyOf = ({ prices }: Pick<Sale, "prices">): string | undefined =>
	prices.map(({ charge }) => currencyOfCharge(charge)).find((one) => one !== undefined);

interface Sold {
	/** The commitments of the subscription itself. */
	readonly commitments: readonly SpendCommitment[] | null;
	readonly minimumSpend: Money | null;
}

/**
 * Throws if the commitments of a sale do not fit its prices: UnsupportedParameter for windows that are no whole number of billing
 * periods, InvalidArgumentError together with a minimum spend.
 */
export function assertCommitmentsFit(sale: Sale, { commitments, minimumSpend }: Sold, where = "body"): void {
	const stated = commitments ?? sale.plan.commitments ?? [];
	const { billingPeriod, prices } = sale;
	if (stated.length === 0 || billingPeriod === null) return;
	const place = commitments ? `${where}/commitments` : `the commitments of the plan '${sale.plan.refId}'`;
	if (minimumSpend || prices.some(({ charge }) => charge.billingModel === "MINIMUM_SPEND"))
		throw fail(
			"InvalidArgumentError",
			`${place}: a minimum spend is one too; use one of both. An empty list has no commitments.`,
		);
	assertWindowsFit(stated, [{ billingPeriod }, ...prices.filter(isOfUsage).map(windowIn(billingPeriod))], place);
}

const isOfUsage = ({ charge }: EffectivePrice): boolean => charge.billingModel === "USAGE_BASED" && !charge.isOverage;

const windowIn =
	(billingPeriod: NonNullable<Sale["billingPeriod"]>) =>
	({ charge }: EffectivePrice) => ({ billingPeriod, chargeInterval: charge.priceTerms?.chargeInterval });
