import { type Decimal, exact, sum, toDecimal } from "../../../kernel/decimal";
import { dryRun } from "../../../kernel/dry-run";
import type { Work } from "../../../kernel/work";
import type { CreditNoteRow } from "../../invoices/table";
import { getContract } from "../operations";
import { assertPublishable, assertSchedulable } from "../rules";
import { nextPhase } from "../rules.states";
import { type StatedContract, setBillingPhase } from "../store";
import { type BilledItemRow, selectItems } from "../store.billing";
import { itemsInForce, settleAmendment } from "./amendments/reissue";
import { differenceOf, type ItemDifference } from "./amendments/rules.difference";
import { deleteAmendment, findAmendment } from "./amendments/store";
import { withBilled } from "./billed";
import { planNext, runContractSteps } from "./operations.due";
import type { RatedItem } from "./rules.cycles";
import { isInvoiced, itemTotals, type PlannedInvoice, scheduleOf } from "./rules.schedule";
import { markPublished } from "./store";
import { liveTerms, netTermsOf } from "./terms";

/** The most due dates that the call invoices; the scheduler issues the rest right after it. */
const stepsPerCallMax = 100;

/**
 * Publishes a draft, or puts an amendment into force. The lines are then fixed. Due invoices are issued now, dated now,
 * each for its own period; later ones at their time (docs/interface/contracts.md).
 */
export function publishContract(work: Work, refId: string): StatedContract {
	const contract = publishable(work, refId);
	putAmendmentIntoForce(work, contract);
	setBillingPhase(work, contract, nextPhase(contract, "publish"));
	markPublished(work, contract);
	planNext(work, contract);
	runContractSteps(work, contract.id, stepsPerCallMax);
	return getContract(work, refId);
}

/** Returns the amount that the amendment credits of the current invoices, if it replaces them. */
function putAmendmentIntoForce(work: Work, contract: StatedContract): CreditNoteRow[] {
	const amendment = findAmendment(work, contract);
	if (!amendment) return [];
	deleteAmendment(work, contract);
	return settleAmendment(work, contract, amendment);
}

/** The effect of publishing now. */
export interface Publication {
	readonly contract: StatedContract;
	readonly isAmendment: boolean;
	/** Totals of the whole term: in force (null before the first publication), and as published. */
	readonly totalBefore: Decimal | null;
	readonly totalAfter: Decimal;
	readonly items: readonly ItemDifference[];
	/** Issued at once, each with the usage so far. */
	readonly issuedNow: readonly PlannedInvoice[];
	/** The number and total of later invoices. */
	readonly laterCount: number;
	readonly laterTotal: Decimal;
	/** The amount of earlier invoices that is credited at once. */
	readonly credited: Decimal;
}

/** Runs `publishContract` with all its checks, and rolls it back (docs/decisions/0006-preview-by-rehearsal.md). */
export function previewPublication(work: Work, refId: string): Publication {
	const contract = publishable(work, refId);
	const amendment = findAmendment(work, contract);
	const inForce = amendment ? itemsInForce(work, contract, amendment) : new Map<string, BilledItemRow>();
	const before = withBilled(work, contract, [...inForce.values()]);
	return dryRun(work, () => {
		const credited = putAmendmentIntoForce(work, contract);
		return publicationOf(work, contract, before, totalOf(credited));
	});
}

/** `before` are the items in force; none before the first publication. */
function publicationOf(
	work: Work,
	contract: StatedContract,
	before: readonly RatedItem[],
	credited: Decimal,
): Publication {
	const items = withBilled(work, contract, selectItems(work, contract));
	const planned = scheduleOf(items, liveTerms(work, { ...contract, publishedAt: work.now }));
	const [now, later] = [
		planned.filter(({ issueAt }) => issueAt <= work.now),
		planned.filter(({ issueAt }) => issueAt > work.now),
	];
	const isAmendment = contract.billingState === "ACTIVE";
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
		credited,
	};
}

const totalOf = (parts: readonly { readonly total: Decimal }[]): Decimal =>
	toDecimal(sum(parts.map(({ total }) => exact(total))));

/** ContractNotFound, and the codes of the billing half. */
function publishable(work: Work, refId: string): StatedContract {
	const contract = getContract(work, refId);
	const items = selectItems(work, contract);
	assertPublishable(contract, items, netTermsOf(work));
	assertSchedulable(refId, items);
	return contract;
}
