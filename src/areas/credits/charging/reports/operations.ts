import { zero } from "../../../../kernel/decimal";
import type { Work } from "../../../../kernel/work";
import { recordReport } from "../../../entitlements/alerts/operations.reports";
import { type CreditRateOfHolder, ratesAt } from "../../../entitlements/operations.credit-rates";
import { periodStartShown } from "../../../entitlements/operations.resets";
import type { Resolved } from "../../../entitlements/operations.resolve";
import { isPricedInCredits } from "../../../packages/operations";
import type { Reported } from "../../../usage/reports/operations";
import type { UsageReportRow } from "../../../usage/reports/table";
import { priceUse, walletFor } from "../../costs/operations";
import { consumeFromWallets } from "../../operations.consume";
import { findTotals, viewConsumed } from "../../operations.wallets";
import type { ConsumedCredits } from "../../schema.consumed";
import { insertReportCharge, selectReportCharge } from "./store";

/** A report of usage, and the credits that it consumed; null where it costs none. */
export interface ChargedReport {
	readonly report: UsageReportRow;
	readonly credit: ConsumedCredits | null;
}

/** Records a report and consumes the credits that it costs, in the same transaction. `resolved`: as of now. */
export function recordAndCharge(work: Work, reported: Reported, resolved: Resolved): ChargedReport {
	const report = recordReport(work, reported);
	const { feature, customerId, resourceRef, at, budgets } = reported;
	const rate = isPricedInCredits(work, feature.id) ? rateFor(work, reported, resolved) : undefined;
	if (!rate) return { report, credit: null };
	const amount = priceUse(work, rate, {
		...{ feature, customerId, resourceRef, added: report.delta, dimensions: report.dimensions ?? {} },
		periodStart: () => periodStartShown(resolved, feature, at),
	});
	const wallet = walletFor(work, { customerId, resourceRef }, rate);
	const { reservationId } = report;
	const about = {
		at,
		featureId: feature.id,
		eventId: report.id,
		dimensions: report.dimensions,
		reservationId,
		budgets,
	};
	const [shown] = consumeFromWallets(work, [{ wallet, amount, ...about }]);
	if (!shown) return { report, credit: null };
	insertReportCharge(work, { reportId: report.id, walletId: shown.walletId, consumed: amount });
	return { report, credit: viewConsumed(work, shown, amount) };
}

/** A late report is priced by the rates of its own time. */
const rateFor = (
	work: Work,
	{ feature, customerId, resourceRef, at }: Reported,
	resolved: Resolved,
): CreditRateOfHolder | undefined => {
	const rates = at >= work.now ? resolved.rates : ratesAt(work, customerId, resourceRef, at);
	return rates.get(feature.id);
};

/** Returns the charge of a repeated report: it consumes nothing, and shows the wallet as it is now. */
export function chargeOfRepeated(work: Work, report: UsageReportRow): ChargedReport {
	const charge = selectReportCharge(work, report.id);
	const shown = charge && findTotals(work, charge.walletId);
	return { report, credit: charge && shown ? viewConsumed(work, shown, zero) : null };
}
