import { type Decimal, exact, sum, toDecimal, zero } from "../../../kernel/decimal";
import { dryRun } from "../../../kernel/dry-run";
import type { Work } from "../../../kernel/work";
import { getCustomerById } from "../../customers/operations";
import { listCreditNotes, viewCreditNotes } from "../../invoices/operations.credit-notes";
import type { CreditNote } from "../../invoices/schema.credit-notes";
import { getContract } from "../operations";
import { assertPublishable, assertSchedulable } from "../rules";
import { nextPhase } from "../rules.states";
import { type StatedContract, setBillingPhase } from "../store";
import { selectItems } from "../store.billing";
import { discardAmendment } from "./operations.amendments";
import { planNext, runContractSteps } from "./operations.due";
import { getInvoiceSchedule, type InvoiceScheduleOf } from "./operations.schedule";
import { takeBackRunning } from "./reissue";
import { markPublished } from "./store";
import { deleteAmendment, findAmendment } from "./store.amendments";
import { netTermsOf } from "./terms";

/** Our choice: so many due dates are invoiced within the call; what has gathered beyond, the sweep issues right after it. */
const stepsPerCallMax = 100;

/**
 * Draft to live, or an amendment into force. The lines are fixed from here on; what is due is issued now, dated now, each for
 * its own period, and the rest when its time comes. What was issued stays. Source: docs/interface/contracts.md.
 */
export function publishContract(work: Work, refId: string): StatedContract {
	const contract = getContract(work, refId);
	const items = selectItems(work, contract);
	assertPublishable(contract, items, netTermsOf(work));
	assertSchedulable(refId, items);
	putAmendmentIntoForce(work, contract);
	setBillingPhase(work, contract, nextPhase(contract, "publish"));
	markPublished(work, contract);
	planNext(work, contract);
	runContractSteps(work, contract.id, stepsPerCallMax);
	return getContract(work, refId);
}

function putAmendmentIntoForce(work: Work, contract: StatedContract): void {
	const amendment = findAmendment(work, contract);
	if (!amendment) return;
	if (amendment.includesCurrentInvoice) takeBackRunning(work, contract, amendment.items);
	deleteAmendment(work, contract);
}

/** What publishing would do, told by doing it and taking it back (docs/decisions/0006). */
export interface PublishPreview {
	/** What is invoiced without it: by what is in force. Null for a draft, of which nothing is. */
	readonly before: InvoiceScheduleOf | null;
	readonly after: InvoiceScheduleOf;
	/** What of earlier invoices is credited by it. */
	readonly creditNotes: readonly CreditNote[];
	/** By how much more the customer is invoiced, all in all: below zero for less. */
	readonly difference: Decimal;
	readonly contract: StatedContract;
}

/** `view` sees it as it would be. The refusals of `publishContract`. */
export function previewPublish<View>(work: Work, refId: string, view: (preview: PublishPreview) => View): View {
	const contract = getContract(work, refId);
	nextPhase(contract, "publish");
	const before =
		contract.amendingSince === null
			? null
			: dryRun(work, () => {
					discardAmendment(work, refId);
					return getInvoiceSchedule(work, refId);
				});
	const known = new Set(creditNotesOf(work, contract).map(({ id }) => id));
	return dryRun(work, () => {
		const published = publishContract(work, refId);
		const after = getInvoiceSchedule(work, refId);
		const made = creditNotesOf(work, contract).filter(({ id }) => !known.has(id));
		const credited = sum(made.map(({ total }) => exact(total)));
		const difference = exact(after.total)
			.minus(credited)
			.minus(exact(before?.total ?? zero));
		const { refId: customerRefId } = getCustomerById(work, contract.customerId);
		const creditNotes = viewCreditNotes(work, made, customerRefId);
		return view({ contract: published, before, after, creditNotes, difference: toDecimal(difference) });
	});
}

/** The newest hundred: of one publication there are as many at most as it takes back invoices. */
const creditNotesOf = (work: Work, { id }: StatedContract) =>
	listCreditNotes(work, { contractId: id }, { limit: "100" }).rows;
