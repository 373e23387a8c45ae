/**
 * Returns whether a statement is of the account with an IBAN (without blanks, upper case). Banks state the IBAN, the IBAN with a currency
 * such as "DE…EUR", or the national bank code and number such as "37040044/532013000".
 */
export function isAccount(iban: string, stated: string): boolean {
	if (stated === iban || stated.replace(/[A-Z]{3}$/, "") === iban) return true;
	const [, bank, number] = /^([0-9]{4,10})\/0*([0-9]+)(?:[A-Z]{3})?$/.exec(stated) ?? [];
	if (bank === undefined || number === undefined) return false;
	const national = iban.slice(4);
	return national.startsWith(bank) && national.slice(bank.length).replace(/^0+/, "") === number;
}
