import { zero } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { drawCredits } from "../../credits/operations.drawing";
import { findShownById, takenView } from "../../credits/operations.wallets";
import type { CreditTaken } from "../../credits/schema.taken";
import { isPricedInCredits } from "../../packages/operations";
import type { Reported } from "../../usage/reports/operations";
import type { UsageReportRow } from "../../usage/reports/table";
import { recordReport } from "../alerts/operations.reports";
import type { Resolved } from "../resolve";
import { pricedUse, walletFor } from "./operations";
import { type HeldRate, ratesAt } from "./operations.rates";
import { insertReportDraw, selectReportDraw } from "./store";

/** A report, and what it took of the customer's credits; null where it costs none. */
export interface DrawnReport {
	readonly report: UsageReportRow;
	readonly credit: CreditTaken | null;
}

/** Keeps a report, and takes what it costs of the customer's credits, in the same transaction. `resolved`: as of now. */
export function recordAndDraw(work: Work, reported: Reported, resolved: Resolved): DrawnReport {
	const report = recordReport(work, reported);
	const { feature, customerId, resourceRef, at } = reported;
	const rate = isPricedInCredits(work, feature.id) ? rateFor(work, reported, resolved) : undefined;
	if (!rate) return { report, credit: null };
	const use = { added: report.delta, dimensions: report.dimensions ?? {} };
	const amount = pricedUse(work, rate, { feature, customerId, resourceRef, at, resolved, ...use });
	const wallet = walletFor(work, { customerId, resourceRef }, rate);
	const about = { at, featureId: feature.id, eventId: report.id, dimensions: report.dimensions };
	const [shown] = drawCredits(work, [{ wallet, amount, ...about }]);
	if (!shown) return { report, credit: null };
	insertReportDraw(work, { reportId: report.id, walletId: shown.walletId, consumed: amount });
	return { report, credit: takenView(work, shown, amount) };
}

/** What is reported late costs what it would have cost at its time. */
const rateFor = (
	work: Work,
	{ feature, customerId, resourceRef, at }: Reported,
	resolved: Resolved,
): HeldRate | undefined => {
	const rates = at >= work.now ? resolved.rates : ratesAt(work, customerId, resourceRef, at);
	return rates.get(feature.id);
};

/** A report that is repeated: it consumes nothing, and shows the wallet as it is now. */
export function drawnBy(work: Work, report: UsageReportRow): DrawnReport {
	const draw = selectReportDraw(work, report.id);
	const shown = draw && findShownById(work, draw.walletId);
	return { report, credit: draw && shown ? takenView(work, shown, zero) : null };
}
