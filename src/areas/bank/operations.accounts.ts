import { HttpRefusal } from "../../http/refusal";
import { fail } from "../../kernel/errors";
import type { Page, PageQuery } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { listLegalEntities } from "../legal-entities/operations";
import { checkedIban } from "../legal-entities/rules";
import { isAccount } from "./rules.account";
import type { BankAccountSettings } from "./schema";
import { changeAccount, findAccount, insertAccount, pageAccounts, selectAccounts } from "./store";
import type { BankAccountRow } from "./table";

/** The account of a statement: its IBAN, and the row id of the legal entity that owns it. */
export interface OwnAccount {
	readonly iban: string;
	readonly legalEntityId: string;
}

/**
 * Returns the account that a bank states, by its IBAN or its national number. An account that a legal entity had before stays known.
 */
function findOwnAccount(work: Work, stated: string): OwnAccount | undefined {
	const current = listLegalEntities(work).flatMap(({ entity, accounts }) =>
		accounts.flatMap(({ iban }) => (iban === null ? [] : [{ iban, legalEntityId: entity.id }])),
	);
	const found = [...current, ...selectAccounts(work)].find(({ iban }) => isAccount(iban, stated));
	return found && { iban: found.iban, legalEntityId: found.legalEntityId };
}

/** Returns the account that a bank states. Throws BadUserInput for an account that no legal entity of the environment has. */
export function ownAccount(work: Work, stated: string): OwnAccount {
	const found = findOwnAccount(work, stated);
	if (found) return found;
	throw fail(
		"BadUserInput",
		`The file is of the account '${stated}', which no legal entity of this environment has; state the IBAN at the legal entity that owns it, or name another environment.`,
	);
}

/** Our bound: a row stays when a legal entity gets another account. */
const accountsMax = 500;

/** Returns the row of an account of this environment, and creates it at its first use. Throws InvalidArgumentError beyond the bound. */
export function ensureBankAccount(work: Work, { iban, legalEntityId }: OwnAccount): BankAccountRow {
	const known = findAccount(work, iban);
	if (known) return known;
	if (selectAccounts(work).length >= accountsMax)
		throw fail(
			"InvalidArgumentError",
			`This environment has statements or settings of ${accountsMax} bank accounts; the legal entities of further ones belong in another environment.`,
		);
	return insertAccount(work, { iban, legalEntityId, feeTolerance: [], csvMapping: null });
}

export const listBankAccounts = (work: Work, query: PageQuery): Page<BankAccountRow> => pageAccounts(work, query);

/**
 * Sets the tolerance and the mapping of an account. Throws InvalidArgumentError for wrong check digits and for a currency that is named
 * twice; 404 for an account that no legal entity has.
 */
export function setBankAccount(work: Work, given: string, settings: BankAccountSettings): BankAccountRow {
	const iban = checkedIban(given);
	const own = findOwnAccount(work, iban);
	if (!own)
		throw new HttpRefusal(404, `No legal entity of this environment has the account '${iban}'; state it there first.`);
	const account = ensureBankAccount(work, own);
	const { feeTolerance = account.feeTolerance, csvMapping = account.csvMapping } = settings;
	const currencies = new Set(feeTolerance.map(({ currency }) => currency.toLowerCase()));
	if (currencies.size < feeTolerance.length)
		throw fail("InvalidArgumentError", "'feeTolerance' names a currency twice; give one amount for it.");
	return changeAccount(work, account, { feeTolerance, csvMapping });
}
