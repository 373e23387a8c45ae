import { assert, rejectBilling } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { findAccount } from "../access/operations";
import { insertDefaultLegalEntity, selectLegalEntities, selectPaymentAccounts } from "./store";
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

/** An account of that id of the issuer's, or its default one. PAYMENT_ACCOUNT_MISSING, PAYMENT_ACCOUNT_NOT_FOUND. */
export function choosePaymentAccount({ entity, accounts }: Issuer, paymentAccountId?: string): PaymentAccountRow {
	const [fallback] = accounts;
	if (!fallback)
		throw rejectBilling(
			"PAYMENT_ACCOUNT_MISSING",
			`The legal entity '${entity.id}' has no payment account; choose another.`,
		);
	if (paymentAccountId === undefined) return fallback;
	const account = accounts.find(({ id }) => id === paymentAccountId);
	if (!account)
		throw rejectBilling(
			"PAYMENT_ACCOUNT_NOT_FOUND",
			`The legal entity '${entity.id}' has no payment account '${paymentAccountId}'; see GET /api/v1/contracts/legal-entities.`,
		);
	return account;
}
