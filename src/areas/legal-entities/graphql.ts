import { eq, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, textOf } from "../../graphql/area";
import { type Input, NoBody, operation } from "../../graphql/input/operation";
import { connect } from "../../graphql/lists/connection";
import type { List } from "../../graphql/lists/list";
import type { Work } from "../../kernel/work";
import { getIssuer, shownBy } from "./details";
import { archiveLegalEntity, createLegalEntity, type Issuer, issuersByIds, updateLegalEntity } from "./operations";
import {
	issuerWarningCodes,
	LegalEntityCreate,
	type LegalEntityDetails,
	LegalEntityPath,
	LegalEntityUpdate,
} from "./schema";
import { legalEntities } from "./table";

const profileFields = `
	address: LegalEntityAddressInput
	taxIds: [TaxIdInput!]
	registration: String
	email: String
	bankAccount: LegalEntityBankAccountInput
	paymentText: String
	footer: String
	brandColor: String
	language: String
	netTerms: Int
	cashDiscount: CashDiscountInput
	invoiceGracePeriodDays: Int
	taxCurrency: Currency
	exchangeRates: [LegalEntityExchangeRateInput!]
	logo: LegalEntityLogoInput
	isDefault: Boolean
`;

const addressFields = "city: String country: String line1: String line2: String postalCode: String state: String";

const typeDefs = `
	type LegalEntityAddress { ${addressFields} }
	type LegalEntityTaxId { type: String! value: String! }
	type LegalEntityBankAccount { iban: String! bic: String bankName: String }
	type LegalEntityExchangeRate { currency: Currency! rate: Float! source: String! date: String! }
	type LegalEntityNumberFormat { invoicePrefix: String! creditNotePrefix: String! year: Boolean! padding: Int! }
	type LegalEntityLogo { contentType: String! width: Int! height: Int! }
	type LegalEntityPaymentAccount { id: ID! name: String! isDefault: Boolean! }
	"So much percent off what is due, for who pays within so many days of the date of issue."
	type CashDiscount { percentage: Float! days: Int! }
	enum IssuerWarningCode { ${issuerWarningCodes.join(" ")} }
	type IssuerWarning { code: IssuerWarningCode! message: String! }
	"A company that issues invoices."
	type LegalEntity {
		id: ID!
		name: String!
		isDefault: Boolean!
		address: LegalEntityAddress
		taxIds: [LegalEntityTaxId!]!
		registration: String
		email: String
		bankAccount: LegalEntityBankAccount
		paymentText: String
		footer: String
		brandColor: String
		language: String
		netTerms: Int
		cashDiscount: CashDiscount
		invoiceGracePeriodDays: Int
		taxCurrency: Currency
		exchangeRates: [LegalEntityExchangeRate!]!
		numberFormat: LegalEntityNumberFormat!
		logo: LegalEntityLogo
		"What it lacks for valid invoices."
		warnings: [IssuerWarning!]!
		paymentAccounts: [LegalEntityPaymentAccount!]!
		archivedAt: DateTime
		createdAt: DateTime!
		updatedAt: DateTime!
	}
	type LegalEntityEdge { node: LegalEntity! cursor: ConnectionCursor! }
	type LegalEntityConnection { edges: [LegalEntityEdge!]! pageInfo: PageInfo! }
	input CashDiscountInput { percentage: Float! days: Int! }
	input LegalEntityAddressInput { ${addressFields} }
	input LegalEntityBankAccountInput { iban: String! bic: String bankName: String }
	input LegalEntityExchangeRateInput { currency: Currency! rate: Float! source: String! date: String! }
	"PNG or JPEG."
	input LegalEntityLogoInput { contentBase64: String! }
	input LegalEntityNumberFormatInput { invoicePrefix: String! creditNotePrefix: String! year: Boolean padding: Int }
	input LegalEntityNumberFormatChangeInput { invoicePrefix: String creditNotePrefix: String year: Boolean padding: Int }
	input CreateLegalEntityInput {
		name: String!
		numberFormat: LegalEntityNumberFormatInput!
		${profileFields}
	}
	"What is left out stays; null takes away."
	input UpdateLegalEntityInput {
		id: ID!
		name: String
		numberFormat: LegalEntityNumberFormatChangeInput
		${profileFields}
	}
	input ArchiveLegalEntityInput { id: ID! }
	extend type Query {
		"All of them, newest first; none before the first contract, document or legal entity makes the default one."
		legalEntities(paging: CursorPaging): LegalEntityConnection
		legalEntity(id: ID!): LegalEntity
	}
	extend type Mutation {
		createLegalEntity(input: CreateLegalEntityInput!): LegalEntity
		updateLegalEntity(input: UpdateLegalEntityInput!): LegalEntity
		"It can be named no more; who names it keeps it."
		archiveLegalEntity(input: ArchiveLegalEntityInput!): LegalEntity
	}
`;

interface Shown extends LegalEntityDetails {
	readonly accounts: Issuer["accounts"];
}

const legalEntity = fieldsOf<Shown>({
	fields: {
		taxCurrency: ({ taxCurrency }) => taxCurrency?.toUpperCase(),
		exchangeRates: ({ exchangeRates }) =>
			exchangeRates.map((rate) => ({ ...rate, currency: rate.currency.toUpperCase() })),
		paymentAccounts: ({ accounts }) => accounts,
	},
});

function shownByIds(work: Work, ids: readonly string[]): Map<string, Shown> {
	const issuers = issuersByIds(work, ids);
	const view = shownBy(work, [...issuers.values()]);
	return new Map([...issuers].map(([id, issuer]) => [id, { ...view(issuer), accounts: issuer.accounts }]));
}

const show = (work: Work, { entity }: Issuer): Shown | null => shownByIds(work, [entity.id]).get(entity.id) ?? null;

const scope = "INVOICE:READ";

const list: List = {
	type: "LegalEntity",
	scope,
	source: sql`${legalEntities}`,
	id: legalEntities.id,
	within: ({ actor }) => eq(legalEntities.environmentId, actor.environmentId),
	fields: {},
	rows: shownByIds,
};

/** As in REST: who may change the environment. */
const writing = { scope: "ENVIRONMENT:WRITE" } as const;
const byId = { ...writing, path: { id: "id" }, params: LegalEntityPath.properties } as const;

const read = ({ taxCurrency, ...input }: Input): Input => ({
	...input,
	...(taxCurrency !== undefined && {
		taxCurrency: typeof taxCurrency === "string" ? taxCurrency.toLowerCase() : taxCurrency,
	}),
});

export const legalEntitiesGraphql: GraphqlArea = {
	typeDefs,
	types: { LegalEntity: legalEntity },
	queries: {
		legalEntities: { scope, resolve: (args, context) => connect(context, new Map(), list, { paging: args.paging }) },
		legalEntity: {
			scope,
			resolve: (args, { work }) => show(work, getIssuer(work, textOf(args, "id") ?? "")),
		},
	},
	mutations: {
		createLegalEntity: operation({
			...writing,
			read,
			body: LegalEntityCreate,
			run: (work, body) => show(work, createLegalEntity(work, body)),
		}),
		updateLegalEntity: operation({
			...byId,
			read,
			body: LegalEntityUpdate,
			run: (work, body, { id }) => show(work, updateLegalEntity(work, getIssuer(work, id), body)),
		}),
		archiveLegalEntity: operation({
			...byId,
			body: NoBody,
			run: (work, _, { id }) => show(work, archiveLegalEntity(work, getIssuer(work, id))),
		}),
	},
};
