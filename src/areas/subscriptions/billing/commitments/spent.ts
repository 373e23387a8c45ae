import { type Big, exact, sum } from "../../../../kernel/decimal";
import type { Period } from "../../../../kernel/period";
import type { Work } from "../../../../kernel/work";
import { amountsWithin, type BilledAmounts } from "../../../billing/operations.spend";
import type { ChargeRow, CreditedAmounts } from "../../../billing/table";
import type { LineBasis } from "../../../pricing/basis";
import type { RatedLine } from "../../../pricing/line";
import { currencyOfCharge } from "../../../pricing/models/charge";
import type { SpendCommitment } from "../../../pricing/models/spend-commitment";
import type { SubscriptionRow } from "../../table";
import { statedAmount } from "../rules.bill";
import { ofCommitment } from "./running";

/** The charges that count: of which commitment, and of which time. */
export interface Counted extends Period, Pick<SpendCommitment, "scope" | "currency"> {}

/**
 * Returns what a subscription was charged for a window, less credits of unused time, before discounts. Charges in advance and fees in
 * arrears count in the window in which their time begins, usage in the one in which its counted time ends. Charges for one time, credit
 * notes by hand and charges of another system do not count.
 */
export const billedIn = (work: Work, row: Pick<SubscriptionRow, "id">, counted: Counted): Big =>
	sum(amountsWithin(work, row, counted).filter(isCounted(counted)).map(amountOf));

const isCounted =
	({ scope, currency, start, end }: Counted) =>
	({ charge, period }: BilledAmounts): boolean => {
		const isAtEnd = start < period.endsAt && period.endsAt <= end;
		if (!isIn(charge, currency)) return false;
		if (hasKey(charge, "usage/", "overage/")) return isAtEnd;
		if (scope === "ON_DEMAND") return false;
		if (hasKey(charge, `${ofCommitment}ON_DEMAND`)) return isAtEnd;
		return hasKey(charge, "advance/", "arrears/") && start <= period.startsAt && period.startsAt < end;
	};

const hasKey = ({ key }: ChargeRow, ...starts: readonly string[]): boolean =>
	starts.some((start) => key.startsWith(start));

function isIn({ terms }: ChargeRow, currency: string): boolean {
	if (!terms) return false;
	if ("commitment" in terms) return terms.commitment.currency === currency;
	const items =
		"item" in terms ? [terms.item] : "stretch" in terms ? [terms.stretch] : "prices" in terms ? terms.prices : [];
	return items.some(({ charge }) => currencyOfCharge(charge) === currency);
}

const amountOf = ({ period, credited }: BilledAmounts): Big => stated(period.rated).minus(sum(credited.map(stated)));

const stated = ({ gross, subTotal }: CreditedAmounts): Big => exact(gross ?? subTotal);

/** Returns what the lines of a bill add to a window. Credits are those of the charges that the bill ends. */
export const addedBy = (lines: readonly RatedLine[], counted: Counted): Big =>
	sum(lines.filter((line) => isAdded(line, counted)).map(statedAmount));

function isAdded({ basis, chargeId, period }: RatedLine, { scope, start, end }: Counted): boolean {
	if (isOnDemand(basis)) return period !== null && start < period.end && period.end <= end;
	if (scope === "ON_DEMAND" || chargeId === null || !basis.charge) return false;
	return basis.isCredit === true || (period !== null && start <= period.start && period.start < end);
}

/** Returns what late usage in the lines of a bill adds to a window that an earlier bill has ended. */
export const addedLate = (lines: readonly RatedLine[], { start, end }: Period): Big =>
	sum(
		lines
			.filter(({ basis, period }) => isOnDemand(basis) && period !== null && start < period.end && period.end <= end)
			.map(statedAmount),
	);

const isOnDemand = ({ charge }: LineBasis): boolean => charge?.billingModel === "USAGE_BASED";
