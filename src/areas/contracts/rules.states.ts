import { type DomainError, fail, rejectBilling } from "../../kernel/errors";
import type { ContractState } from "./schema";
import type { ContractRow } from "./table";

/**
 * The phase of the billing half. NONE: it does not exist. AMENDING: it is live, its items are open for change, and no
 * invoice is issued. Callers see AMENDING as ACTIVE, since the interface has no value for it.
 */
export const billingPhases = ["NONE", "DRAFT", "ACTIVE", "AMENDING", "CANCELED", "END_BILLING"] as const;
export type BillingPhase = (typeof billingPhases)[number];

/** The actions on a contract that depend on the states of its halves. */
export const contractActions = [
	"update",
	"setUpBilling",
	"setRenewal",
	"changeItems",
	"publish",
	"amend",
	"discardAmendment",
	"reopen",
	"cancelBilling",
	"endBilling",
	"refreshUsage",
	"archive",
] as const;
export type ContractAction = (typeof contractActions)[number];

const anywhere = Object.fromEntries(billingPhases.map((phase) => [phase, phase])) as Record<BillingPhase, BillingPhase>;

/**
 * The phase of the billing half after each action; other actions are rejected. The provisioning half has one
 * transition: `archive` cancels it for good. An archived contract allows only `archive`, which changes nothing.
 */
export const billingTransitions: Readonly<
	Record<ContractAction, Readonly<Partial<Record<BillingPhase, BillingPhase>>>>
> = {
	update: anywhere,
	// One-way, and without effect if the billing half exists (docs/interface/contracts.md).
	setUpBilling: { ...anywhere, NONE: "DRAFT" },
	setRenewal: { DRAFT: "DRAFT", ACTIVE: "ACTIVE", AMENDING: "AMENDING" },
	changeItems: { DRAFT: "DRAFT", AMENDING: "AMENDING" },
	publish: { DRAFT: "ACTIVE", AMENDING: "ACTIVE" },
	amend: { ACTIVE: "AMENDING" },
	discardAmendment: { AMENDING: "ACTIVE" },
	reopen: { ACTIVE: "DRAFT", CANCELED: "DRAFT" },
	cancelBilling: { DRAFT: "CANCELED", ACTIVE: "CANCELED", AMENDING: "CANCELED" },
	// Happens after the last invoice, without a call.
	endBilling: { ACTIVE: "END_BILLING" },
	refreshUsage: { ACTIVE: "ACTIVE", AMENDING: "AMENDING", END_BILLING: "END_BILLING" },
	archive: {
		NONE: "NONE",
		DRAFT: "CANCELED",
		ACTIVE: "CANCELED",
		AMENDING: "CANCELED",
		CANCELED: "CANCELED",
		END_BILLING: "END_BILLING",
	},
};

export type Halves = Pick<ContractRow, "refId" | "billingState" | "amendingSince" | "archivedAt">;

export function billingPhase({ billingState, amendingSince }: Omit<Halves, "refId" | "archivedAt">): BillingPhase {
	if (billingState === null) return "NONE";
	return billingState === "ACTIVE" && amendingSince !== null ? "AMENDING" : billingState;
}

/**
 * Returns the phase after an action. EntityIsArchivedError for an archived contract, otherwise an error of the billing
 * half with a reason.
 */
export function nextPhase(contract: Halves, action: ContractAction): BillingPhase {
	const phase = billingPhase(contract);
	if (contract.archivedAt !== null && action !== "archive")
		throw fail(
			"EntityIsArchivedError",
			`The contract '${contract.refId}' is archived and cannot be changed; create a new one instead.`,
		);
	const next = billingTransitions[action][phase];
	if (next === undefined) throw refusal(contract.refId, phase, action);
	return next;
}

/** Returns the state that a contract shows for a phase. */
export const shownState = (phase: BillingPhase): ContractState | null =>
	phase === "NONE" ? null : phase === "AMENDING" ? "ACTIVE" : phase;

function refusal(refId: string, phase: BillingPhase, action: ContractAction): DomainError {
	const billing = `The billing of contract '${refId}'`;
	switch (phase) {
		case "NONE":
			return billingNotSetUp(refId);
		case "CANCELED":
			return rejectBilling(
				"BILLING_CANCELED",
				`${billing} is canceled; make it a draft again by POST /api/v1/contracts/${refId}/billing/reopen.`,
			);
		case "END_BILLING":
			return rejectBilling(
				"BILLING_ENDED",
				`${billing} has ended: all that was agreed has been invoiced. Create a contract for what follows.`,
			);
		case "DRAFT":
			return rejectBilling("CONTRACT_NOT_LIVE", `${billing} is a draft: ${ofDraft(refId, action)}`);
		case "ACTIVE":
			return action === "discardAmendment"
				? rejectBilling("NO_AMENDMENT_OPEN", `${billing} has no amendment open, so there is none to throw away.`)
				: rejectBilling(
						"CONTRACT_NOT_DRAFT",
						`${billing} is published and its line items are fixed; open them for change by POST /api/v1/contracts/${refId}/billing/edit-active.`,
					);
		case "AMENDING":
			return rejectBilling(
				"AMENDMENT_OPEN",
				`${billing} has an amendment open; put it into force by POST /api/v1/contracts/${refId}/billing/publish, or throw it away by DELETE …/billing/edit-active.`,
			);
	}
}

export const billingNotSetUp = (refId: string): DomainError =>
	rejectBilling(
		"BILLING_NOT_SET_UP",
		`The contract '${refId}' has no billing; set it up by PATCH /api/v1/contracts/${refId} with 'setupBilling' true.`,
	);

const ofDraft = (refId: string, action: ContractAction): string =>
	action === "reopen"
		? "there is nothing to reopen; change its line items as they are."
		: `publish it by POST /api/v1/contracts/${refId}/billing/publish first.`;
