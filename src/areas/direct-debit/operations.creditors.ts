import { HttpRefusal } from "../../http/refusal";
import { fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { findIssuer } from "../legal-entities/operations";
import { checkedCreditorId } from "./rules.mandate";
import type { CreditorSettings } from "./schema";
import { changeCreditor, findCreditor, insertCreditor, selectCreditors } from "./store";
import type { CreditorRow, FileCreditor } from "./table";

const formatDefault = "pain.008.001.08";

/** The notice that the scheme's rules ask for, unless the contract agrees another one. */
const leadDaysDefault = 14;

export const listCreditors = (work: Work): CreditorRow[] => selectCreditors(work);

/** Returns the account to which a legal entity collects: its default one that has an IBAN. */
function accountOf(work: Work, legalEntityId: string) {
	const issuer = findIssuer(work, legalEntityId);
	const account = issuer?.accounts.find(({ iban }) => iban !== null);
	return issuer && account?.iban ? { ...issuer, iban: account.iban, bic: account.bic } : undefined;
}

/**
 * Sets how a legal entity collects. Throws 404 for an unknown one, InvalidArgumentError for wrong check digits and for a legal entity
 * without an account.
 */
export function setCreditor(work: Work, legalEntityId: string, settings: CreditorSettings): CreditorRow {
	if (!findIssuer(work, legalEntityId))
		throw new HttpRefusal(404, `There is no legal entity '${legalEntityId}'; see GET /api/v1/legal-entities.`);
	if (!accountOf(work, legalEntityId))
		throw fail(
			"InvalidArgumentError",
			`The legal entity '${legalEntityId}' has no IBAN to collect to; state its 'bankAccount' first (PATCH /api/v1/legal-entities/{id}).`,
		);
	const creditorId = checkedCreditorId(settings.creditorId);
	const known = findCreditor(work, legalEntityId);
	const { format, leadDays, batchBooking } = { ...known, ...settings };
	const row = {
		...{ legalEntityId, creditorId, format: format ?? formatDefault },
		...{ leadDays: leadDays ?? leadDaysDefault, batchBooking: batchBooking ?? false },
	};
	return known ? changeCreditor(work, known.id, row) : insertCreditor(work, row);
}

/** Returns how a legal entity collects. Throws InvalidArgumentError if it does not. */
export function getCreditor(work: Work, legalEntityId: string): CreditorRow {
	const found = findCreditor(work, legalEntityId);
	if (found) return found;
	throw fail(
		"InvalidArgumentError",
		`The legal entity '${legalEntityId}' has no creditor identifier; set it by PUT /api/v1/direct-debit-creditors/${legalEntityId}.`,
	);
}

/** Returns a creditor as a file states it. Throws InvalidArgumentError if the legal entity has no account any more. */
export function fileCreditorOf(work: Work, { legalEntityId, creditorId, batchBooking }: CreditorRow): FileCreditor {
	const account = accountOf(work, legalEntityId);
	if (!account)
		throw fail(
			"InvalidArgumentError",
			`The legal entity '${legalEntityId}' has no IBAN to collect to; state its 'bankAccount' (PATCH /api/v1/legal-entities/{id}).`,
		);
	return { name: account.entity.name, creditorId, iban: account.iban, bic: account.bic, batchBooking };
}

/** Returns the account of a creditor for its view. */
export const collectionAccountOf = (work: Work, legalEntityId: string) => {
	const account = accountOf(work, legalEntityId);
	return { iban: account?.iban ?? "", bic: account?.bic ?? null };
};
