/** The rules in their order: the first that applies wins. (Our names.) */
export const matchingRules = [
	"CREDITOR_REFERENCE",
	"OWN_REFERENCE",
	"INVOICE_NUMBERS",
	"KNOWN_PAYER",
	"PAYER_NAME",
] as const;
export type MatchingRule = (typeof matchingRules)[number];

/** Facts that speak for a proposal, or against it. (Our names.) */
export const matchingReasons = [
	"REFERENCE_NAMES_INVOICE",
	"TEXT_NAMES_INVOICE",
	"NUMBER_ALMOST_NAMES_INVOICE",
	"PAYER_IBAN_KNOWN",
	"PAYER_NAME_EQUAL",
	"AMOUNT_EQUAL",
	"AMOUNT_WITHIN_FEES",
	"AMOUNT_DIFFERS",
	"CURRENCY_DIFFERS",
	"PAYER_DIFFERS",
] as const;
export type MatchingReason = (typeof matchingReasons)[number];
