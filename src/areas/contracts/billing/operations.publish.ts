import { type Decimal, exact, sum, toDecimal } from "../../../kernel/decimal";
import { dryRun } from "../../../kernel/dry-run";
import type { Work } from "../../../kernel/work";
import type { CreditNoteRow } from "../../invoices/table";
import { getContract } from "../operations";
import { assertPublishable, assertSchedulable } from "../rules";
import { nextPhase } from "../rules.states";
import { type StatedContract, setBillingPhase } from "../store";
import { selectItems } from "../store.billing";
import type { ContractItemRow } from "../table";
import { takeBackRunning } from "./amendments/reissue";
import { differenceOf, type ItemDifference } from "./amendments/rules.difference";
import { deleteAmendment, findAmendment } from "./amendments/store";
import { planNext, runContractSteps } from "./operations.due";
import { isInvoiced, itemTotals, type PlannedInvoice, scheduleOf } from "./rules.schedule";
import { markPublished } from "./store";
import { liveTerms, netTermsOf } from "./terms";

/** Our choice: so many due dates are invoiced within the call; what has gathered beyond, the sweep issues right after it. */
const stepsPerCallMax = 100;

/**
 * Draft to live, or an amendment into force, after which what was issued stays. The lines are fixed from here on; what is due is issued now, dated now, each for its own period, and the rest
 * when its time comes. Source: docs/interface/contracts.md.
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

/** What it credits of the current invoices, where it replaces these. */
function putAmendmentIntoForce(work: Work, contract: StatedContract): CreditNoteRow[] {
	const amendment = findAmendment(work, contract);
	if (!amendment) return [];
	deleteAmendment(work, contract);
	return amendment.includesCurrentInvoice ? takeBackRunning(work, contract, amendment.items) : [];
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
	/** What of earlier invoices is credited at once. */
	readonly credited: Decimal;
}

/**
 * As `publishContract`, with all that it refuses; but nothing is kept: what is credited first is credited, and taken back
 * (docs/decisions/0006-preview-by-rehearsal.md). (Our own.)
 */
export function previewPublication(work: Work, refId: string): Publication {
	const contract = publishable(work, refId);
	const before = findAmendment(work, contract)?.items ?? [];
	return dryRun(work, () => {
		const credited = putAmendmentIntoForce(work, contract);
		return publicationOf(work, contract, before, totalOf(credited));
	});
}

/** `before`: what is in force; nothing is of what is published for the first time. */
function publicationOf(
	work: Work,
	contract: StatedContract,
	before: readonly ContractItemRow[],
	credited: Decimal,
): Publication {
	const items = selectItems(work, contract);
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

/** ContractNotFound, and what the billing half refuses. */
function publishable(work: Work, refId: string): StatedContract {
	const contract = getContract(work, refId);
	const items = selectItems(work, contract);
	assertPublishable(contract, items, netTermsOf(work));
	assertSchedulable(refId, items);
	return contract;
}
