import type { Instant } from "../../../kernel/clock";
import type { Work } from "../../../kernel/work";
import { storedTerm } from "../../pricing/rules.terms";
import type { SubscriptionStatus } from "../schema";
import type { SubscriptionRow } from "../table";
import { placeFromStart } from "../terms/phases";
import type { Sale } from "../terms/sale";
import { termFromStart } from "../terms/term";
import type { SubscriptionImportItem } from "./schema";

/** The sale of an item, its time and its status. */
export interface Imported {
	readonly sale: Sale;
	readonly span: Span;
	readonly status: SubscriptionStatus;
}

export interface Span {
	readonly startAt: Instant;
	readonly endAt: Instant | null;
}

/** The place that the message of a rejection names. */
export const placeOf = ({ id }: SubscriptionImportItem): string => `The subscription '${id}'`;

/** Other phases, another plan and another start count from the start of billing. The period that runs stays as it was billed. */
export function phaseColumns(
	{ now }: Work,
	former: SubscriptionRow,
	item: SubscriptionImportItem,
	{ sale, span, status }: Imported,
): Partial<Pick<SubscriptionRow, "phases" | "phase">> {
	const { ownPhases: phases } = sale;
	const isSame = sale.plan.packageId === former.planId && span.startAt === former.startAt;
	if (item.phases === undefined && isSame) return {};
	const row = { ...former, ...span, phases, pricingType: sale.plan.pricingType ?? "FREE" };
	return { phases, phase: status === "ACTIVE" ? placeFromStart(row, sale.plan, now) : null };
}

export const importedTerm = (item: SubscriptionImportItem): SubscriptionRow["term"] | undefined =>
	item.term && storedTerm(item.term, `${placeOf(item)}: term`);

/** Another term, another plan and another start count from the start of billing. Price increases by earlier renewals stay. */
export function termColumns(
	{ now }: Work,
	former: SubscriptionRow,
	item: SubscriptionImportItem,
	{ sale, span, status }: Imported,
): Partial<Pick<SubscriptionRow, "term" | "runningTerm" | "uplifts">> {
	const asked = importedTerm(item);
	const isSamePlan = sale.plan.packageId === former.planId;
	if (asked === undefined && isSamePlan && span.startAt === former.startAt) return {};
	const term = asked === undefined ? (isSamePlan ? former.term : null) : asked;
	const row = { ...former, ...span, term, pricingType: sale.plan.pricingType ?? "FREE" };
	return {
		term,
		runningTerm: status === "ACTIVE" ? termFromStart(row, sale.plan, now) : null,
		...(!isSamePlan && { uplifts: null }),
	};
}
