import { assert, rejectBilling } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { findAccount } from "../access/operations";
import type { InvoiceParty } from "../invoices/schema.party";
import { insertDefaultLegalEntity, selectLegalEntities, selectPaymentAccounts } from "./store.billing";
import type { LegalEntityRow, PaymentAccountRow } from "./table";

export interface Issuer {
	readonly entity: LegalEntityRow;
	/** The default one first. */
	readonly accounts: readonly PaymentAccountRow[];
}

/** Used where the account has no name to go by. */
const fallbackName = "Default legal entity";
const accountName = "Default payment account";

/**
 * The environment's default legal entity with its payment account; they are made when they are first needed.
 * Source: docs/interface/contracts.md: there is always one. Needs a writing `work` the first time.
 */
export function ensureDefaultLegalEntity(work: Work): Issuer {
	const known = listLegalEntities(work).find(({ entity }) => entity.isDefault);
	if (known) return known;
	insertDefaultLegalEntity(work, findAccount(work, work.actor.accountId)?.name ?? fallbackName, accountName);
	const made = listLegalEntities(work).find(({ entity }) => entity.isDefault);
	assert(made, "the default legal entity was made");
	return made;
}

export function listLegalEntities(work: Work): Issuer[] {
	const accounts = Map.groupBy(selectPaymentAccounts(work), ({ legalEntityId }) => legalEntityId);
	return selectLegalEntities(work).map((entity) => ({
		entity,
		accounts: (accounts.get(entity.id) ?? []).toSorted((one, other) => Number(other.isDefault) - Number(one.isDefault)),
	}));
}

/** The legal entity of a row id as it stands on an invoice. */
export function issuerParty(work: Work, legalEntityId: string): InvoiceParty {
	const issuer = listLegalEntities(work).find(({ entity }) => entity.id === legalEntityId);
	assert(issuer, "a line item's legal entity is there");
	return { name: issuer.entity.name, email: null, address: null, taxIds: [] };
}

/** The issuer of that id, or the default one; LEGAL_ENTITY_NOT_FOUND. */
export function chooseIssuer(work: Work, legalEntityId: string | undefined): Issuer {
	const fallback = ensureDefaultLegalEntity(work);
	if (legalEntityId === undefined) return fallback;
	const issuer = listLegalEntities(work).find(({ entity }) => entity.id === legalEntityId);
	if (!issuer)
		throw rejectBilling(
			"LEGAL_ENTITY_NOT_FOUND",
			`There is no legal entity '${legalEntityId}'; see GET /api/v1/contracts/legal-entities.`,
		);
	return issuer;
}
