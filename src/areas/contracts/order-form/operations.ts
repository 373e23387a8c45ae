import { rejectBilling } from "../../../kernel/errors";
import { startOfDay } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import type { TaskState } from "../../../tasks/table";
import { getCustomerById } from "../../customers/operations";
import { customerAsParty } from "../../invoices/operations";
import { findAgreementPdf, generateAgreementPdf } from "../../invoices/operations.pdf";
import type { Agreement } from "../../invoices/schema.agreement";
import { chooseIssuer, issuerOf } from "../../legal-entities/operations";
import { itemsToPublish } from "../billing/amendments/reissue";
import { selectContract } from "../billing/store";
import { getContract } from "../operations";
import { assertBilled } from "../rules";
import { billingPhase } from "../rules.states";
import type { ContractRow } from "../table";
import { type AgreementBasis, agreementFrom } from "./agreement";

/**
 * Returns the order form of the current contract if it is rendered; never starts a render. ContractNotFound,
 * BILLING_NOT_SET_UP, NO_LINE_ITEMS.
 */
export const findOrderForm = (work: Work, refId: string): Buffer | undefined =>
	findAgreementPdf(work, printedOf(work, printable(work, refId)));

/**
 * Queues one durable render task for the current contract, however often it is called. The codes of `findOrderForm`.
 */
export const generateOrderForm = (work: Work, refId: string): TaskState =>
	generateAgreementPdf(work, printedOf(work, printable(work, refId)));

/** Returns the printed data of the current contract; undefined if nothing is agreed any more. */
export function findAgreement(work: Work, contractId: string): Agreement | undefined {
	const contract = selectContract(work, contractId);
	const basis = contract && basisOf(work, contract);
	if (!contract || !basis || basis.items.length === 0) return undefined;
	return agreementFrom(work, contract, { ...basis, ...printedOf(work, { contract, basis }) });
}

function basisOf(work: Work, contract: ContractRow): AgreementBasis {
	const items = itemsToPublish(work, contract);
	const customer = getCustomerById(work, contract.customerId);
	const [legalEntityId, ...others] = new Set(items.map((item) => item.legalEntityId));
	const isAgreed = legalEntityId !== undefined && others.length === 0;
	return {
		items,
		issuer: isAgreed ? chooseIssuer(work, legalEntityId) : issuerOf(work, customer.legalEntityId),
		customer: customerAsParty(customer, {}),
		today: billingPhase(contract) === "ACTIVE" ? null : startOfDay(work.now),
	};
}

interface Printable {
	readonly contract: ContractRow;
	readonly basis: AgreementBasis;
}

function printable(work: Work, refId: string): Printable {
	const contract = getContract(work, refId);
	assertBilled(contract);
	const basis = basisOf(work, contract);
	if (basis.items.length === 0)
		throw rejectBilling("NO_LINE_ITEMS", `The contract '${refId}' has no line items; add one before its order form.`);
	return { contract, basis };
}

const revisionDigits = 12;

/** The revision is derived from the printed data, so every change of them makes another one. */
function printedOf(work: Work, { contract, basis }: Printable): Pick<Agreement, "id" | "environmentId" | "revision"> {
	const { refId, name, poNumber, note, renewal, billingState, amendingSince, publishedAt } = contract;
	const printed = { refId, name, poNumber, note, renewal, billingState, amendingSince, publishedAt };
	const digest = new Bun.CryptoHasher("md5").update(JSON.stringify([printed, basis])).digest("hex");
	return {
		id: contract.id,
		environmentId: work.actor.environmentId,
		revision: Number.parseInt(digest.slice(0, revisionDigits), 16),
	};
}
