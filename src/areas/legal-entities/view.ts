import { toIso, toIsoOrNull } from "../../kernel/clock";
import type { Issuer } from "./operations";
import { warningsOfIssuer } from "./rules";
import type { LegalEntityDetails } from "./schema";
import type { LogoRow } from "./table";

export const viewLegalEntityDetails = (
	{ entity, accounts: [account] }: Issuer,
	logo: Omit<LogoRow, "bytes"> | undefined,
): LegalEntityDetails => ({
	id: entity.id,
	name: entity.name,
	isDefault: entity.isDefault,
	address: entity.address,
	taxIds: [...entity.taxIds],
	registration: entity.registration,
	email: entity.email,
	bankAccount:
		account == null || account.iban === null
			? null
			: { iban: account.iban, bic: account.bic, bankName: account.bankName },
	paymentText: entity.paymentText,
	footer: entity.footer,
	language: entity.language,
	netTerms: entity.netTerms,
	cashDiscount: entity.cashDiscount,
	invoiceGracePeriodDays: entity.invoiceGracePeriodDays,
	taxCurrency: entity.taxCurrency,
	exchangeRates: [...entity.exchangeRates],
	numberFormat: {
		invoicePrefix: entity.invoicePrefix,
		creditNotePrefix: entity.creditNotePrefix,
		year: entity.numberYear,
		padding: entity.numberPadding,
	},
	logo: logo ? { contentType: logo.contentType, width: logo.width, height: logo.height } : null,
	brandColor: entity.brandColor,
	warnings: warningsOfIssuer(entity),
	archivedAt: toIsoOrNull(entity.archivedAt),
	createdAt: toIso(entity.createdAt),
	updatedAt: toIso(entity.updatedAt),
});
