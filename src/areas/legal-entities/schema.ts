import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../kernel/number-schema";
import { pageQuery } from "../../kernel/page";
import { Address, Currency, DisplayName, Email, literals, nullable, TaxIds } from "../../kernel/schema";

// Everything here is ours: the interface only lists legal entities (docs/interface/contracts.md).

const closed = { additionalProperties: false };
const optional = <Value extends Parameters<typeof nullable>[0]>(schema: Value) => Type.Optional(nullable(schema));

export const numberFormatDefault = { invoicePrefix: "INV-", creditNotePrefix: "CN-", year: false, padding: 6 } as const;

/** It ends with a letter, and at most one sign that sets it off, so that it never runs into the digits; a file can bear its name. */
const Prefix = Type.String({
	maxLength: 20,
	pattern: "^[A-Za-z0-9._-]*[A-Za-z][._-]?$",
	description: "letters, digits, '.', '_' and '-'; a letter at the end, or a letter and one sign",
});

const year = Type.Boolean();
/** Shorter numbers are filled up with zeros. */
const padding = Type.Integer({ minimum: 1, maximum: 12 });

export const NumberFormat = Type.Object(
	{
		invoicePrefix: Prefix,
		creditNotePrefix: Prefix,
		year: Type.Optional(year),
		padding: Type.Optional(padding),
	},
	closed,
);

/** A new account number and who keeps it. */
export const BankAccount = Type.Object(
	{
		/** Blanks may stand in it. Forty-two characters: the longest, 34, in groups of four. */
		iban: Type.String({ maxLength: 42, pattern: "^[A-Za-z]{2}[0-9]{2}[A-Za-z0-9 ]{6,38}$" }),
		bic: optional(Type.String({ pattern: "^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$" })),
		bankName: optional(Type.String({ minLength: 1, maxLength: 255 })),
	},
	closed,
);
export type BankAccount = Static<typeof BankAccount>;

export const logoTypes = ["image/png", "image/jpeg"] as const;
export type LogoType = (typeof logoTypes)[number];

/**
 * Our choice (docs/interface/invoices.md#limits): a logo is printed a few centimetres wide, and each invoice contains
 * it.
 */
export const logoBytesMax = 200 * 1024;

/** PNG or JPEG. */
const LogoUpload = Type.Object(
	{ contentBase64: Type.String({ minLength: 1, maxLength: Math.ceil(logoBytesMax / 3) * 4 }) },
	closed,
);

/** Our bounds: a few lines at the end of a page. */
const Paragraph = Type.String({ maxLength: 1000 });
/** As for contracts: ten years. */
const NetTerms = Type.Integer({ minimum: 0, maximum: 3650 });
/** Our bound: two months. */
const GracePeriodDays = Type.Integer({ minimum: 0, maximum: 62 });
const Language = Type.String({ minLength: 2, maxLength: 35, description: "BCP 47, such as 'de' or 'fr-CH'" });

/** A day in UTC. */
const Day = Type.String({
	pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$",
	description: "a day, such as 2026-02-01",
});

/** The number of units of `taxCurrency` for one unit of `currency`, from that day until a later rate. */
export const ExchangeRate = Type.Object(
	{
		currency: Currency,
		rate: ExactNumber({ exclusiveMinimum: 0, maximum: 1e6 }),
		/** The source of the rate, such as "ECB"; documents print it. */
		source: Type.String({ minLength: 1, maxLength: 100 }),
		date: Day,
	},
	closed,
);
export type ExchangeRate = Static<typeof ExchangeRate>;

/** Our bound: ten currencies over two years of months. */
const ExchangeRates = Type.Array(ExchangeRate, { maxItems: 240 });

/**
 * A cash discount: so much percent off what is due, for who pays within so many days of the date of issue. A percentage of 0
 * grants none.
 */
export const CashDiscountTerms = Type.Object(
	{
		percentage: ExactNumber({ minimum: 0, exclusiveMaximum: 100 }),
		days: Type.Integer({ minimum: 1, maximum: 365 }),
	},
	closed,
);
export type CashDiscountTerms = Static<typeof CashDiscountTerms>;

/** A detail that invoices must show and that their issuer lacks (Directive 2006/112/EC, article 226, points 3 and 5). */
const issuerWarningCodes = ["ISSUER_ADDRESS_MISSING", "ISSUER_TAX_ID_MISSING"] as const;

export const IssuerWarning = Type.Object({ code: literals(...issuerWarningCodes), message: Type.String() }, closed);
export type IssuerWarning = Static<typeof IssuerWarning>;

const profile = {
	address: optional(Address),
	taxIds: Type.Optional(TaxIds),
	registration: optional(Type.String({ minLength: 1, maxLength: 255 })),
	email: optional(Email),
	bankAccount: optional(BankAccount),
	paymentText: optional(Paragraph),
	footer: optional(Paragraph),
	language: optional(Language),
	netTerms: optional(NetTerms),
	cashDiscount: optional(CashDiscountTerms),
	/** The number of days for which invoices of a billing cycle are drafts; null or 0: they are issued at once. */
	invoiceGracePeriodDays: optional(GracePeriodDays),
	/** In which tax is declared: documents in other currencies state it in this one, too. */
	taxCurrency: optional(Currency),
	/** All of them: what was there is replaced. */
	exchangeRates: Type.Optional(ExchangeRates),
	logo: optional(LogoUpload),
	/** For the pages that customers see. */
	brandColor: optional(Type.String({ pattern: "^#[0-9a-fA-F]{6}$", description: "a colour, such as #2f5d62" })),
	/** Only true: another one takes its place when it is made the default. */
	isDefault: Type.Optional(Type.Literal(true)),
};

/** The prefixes are stated: no two legal entities share one. */
export const LegalEntityCreate = Type.Object({ name: DisplayName, numberFormat: NumberFormat, ...profile }, closed);
export type LegalEntityCreate = Static<typeof LegalEntityCreate>;

/** A missing field stays; null clears it. */
export const LegalEntityUpdate = Type.Object(
	{ name: Type.Optional(DisplayName), numberFormat: Type.Optional(Type.Partial(NumberFormat, closed)), ...profile },
	closed,
);
export type LegalEntityUpdate = Static<typeof LegalEntityUpdate>;

export const LegalEntityListQuery = Type.Object(pageQuery, closed);
export type LegalEntityListQuery = Static<typeof LegalEntityListQuery>;

export const LegalEntityPath = Type.Object({ id: Type.String({ minLength: 1, maxLength: 255 }) }, closed);

const nullableText = nullable(Type.String());

export const LegalEntityDetails = Type.Object(
	{
		id: Type.String(),
		name: Type.String(),
		isDefault: Type.Boolean(),
		address: nullable(Address),
		taxIds: TaxIds,
		registration: nullableText,
		email: nullableText,
		bankAccount: nullable(Type.Object({ iban: Type.String(), bic: nullableText, bankName: nullableText }, closed)),
		paymentText: nullableText,
		footer: nullableText,
		language: nullableText,
		netTerms: nullable(Type.Integer()),
		cashDiscount: nullable(CashDiscountTerms),
		invoiceGracePeriodDays: nullable(Type.Integer()),
		taxCurrency: nullableText,
		exchangeRates: ExchangeRates,
		numberFormat: Type.Object(
			{ invoicePrefix: Type.String(), creditNotePrefix: Type.String(), year: Type.Boolean(), padding: Type.Integer() },
			closed,
		),
		logo: nullable(
			Type.Object({ contentType: literals(...logoTypes), width: Type.Integer(), height: Type.Integer() }, closed),
		),
		brandColor: nullableText,
		warnings: Type.Array(IssuerWarning),
		archivedAt: nullableText,
		createdAt: Type.String(),
		updatedAt: Type.String(),
	},
	{ $id: "LegalEntityDetails" },
);
export type LegalEntityDetails = Static<typeof LegalEntityDetails>;
