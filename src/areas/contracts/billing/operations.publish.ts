import { type Decimal, exact, sum, toDecimal } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { getContract } from "../operations";
import { assertPublishable, assertSchedulable } from "../rules";
import { nextPhase } from "../rules.states";
import { type StatedContract, setBillingPhase } from "../store";
import { selectItems } from "../store.billing";
import type { ContractItemRow } from "../table";
import { planNext, runContractSteps } from "./operations.due";
import type { RatedItem } from "./rules.cycles";
import { differenceOf, type ItemDifference } from "./rules.difference";
import { isInvoiced, itemTotals, type PlannedInvoice, scheduleOf } from "./rules.schedule";
import { markPublished } from "./store";
import { liveTerms, netTermsOf } from "./terms";

/** Our choice: so many due dates are invoiced within the call; what has gathered beyond, the sweep issues right after it. */
const stepsPerCallMax = 100;

/**
 * Draft to live. The lines are fixed from here on; what is due is issued now, dated now, each for its own period, and the rest
 * when its time comes. Source: docs/interface/contracts.md.
 */
export function publishContract(work: Work, refId: string): StatedContract {
	const { contract } = publishable(work, refId);
	setBillingPhase(work, contract, nextPhase(contract, "publish"));
	markPublished(work, contract);
	planNext(work, contract);
	runContractSteps(work, contract.id, stepsPerCallMax);
	return getContract(work, refId);
}

/** What publishing would do now. */
export interface Publication {
	readonly contract: StatedContract;
	readonly isAmendment: boolean;
	/** Whole-term totals of what is in force, null before the first publishing, and of what would be. */
	readonly totalBefore: Decimal | null;
	readonly totalAfter: Decimal;
	readonly items: readonly ItemDifference[];
	/** Issued at once, each with what was used so far. */
	readonly issuedNow: readonly PlannedInvoice[];
	/** How many follow, and what they come to. */
	readonly laterCount: number;
	readonly laterTotal: Decimal;
}

/** As `publishContract`, with all that it refuses; but nothing is changed or issued. (Our own.) */
export function previewPublication(work: Work, refId: string): Publication {
	const { contract, items } = publishable(work, refId);
	const planned = scheduleOf(items, liveTerms(work, { ...contract, publishedAt: work.now }));
	const [now, later] = [
		planned.filter(({ issueAt }) => issueAt <= work.now),
		planned.filter(({ issueAt }) => issueAt > work.now),
	];
	const isAmendment = contract.billingState === "ACTIVE";
	const before = itemsInForce();
	return {
		contract,
		isAmendment,
		totalBefore: isAmendment ? totalOf(before.map(itemTotals)) : null,
		totalAfter: totalOf(items.map(itemTotals)),
		items: differenceOf(before, items),
		issuedNow: now
			.map((one) => ({ ...one, lines: one.lines.filter(isInvoiced) }))
			.filter(({ lines }) => lines.length > 0),
		laterCount: later.length,
		laterTotal: totalOf(later),
	};
}

/** Of what is published for the first time nothing is in force. */
const itemsInForce = (): readonly RatedItem[] => [];

const totalOf = (parts: readonly { readonly total: Decimal }[]): Decimal =>
	toDecimal(sum(parts.map(({ total }) => exact(total))));

/** With its items; ContractNotFound, and what the billing half refuses. */
function publishable(work: Work, refId: string): { contract: StatedContract; items: ContractItemRow[] } {
	const contract = getContract(work, refId);
	const items = selectItems(work, contract);
	assertPublishable(contract, items, netTermsOf(work));
	assertSchedulable(refId, items);
	return { contract, items };
}
