import { fieldsOf, type GraphqlArea, textOf } from "../../graphql/area";
import { connectionTypes } from "../../graphql/derive/types";
import { mutationsOf } from "../../graphql/input/mutations";
import { pagedQuery } from "../../graphql/lists/paged";
import type { Work } from "../../kernel/work";
import { getIssuer, shownBy } from "./details";
import { archiveLegalEntity, createLegalEntity, type Issuer, issuersByIds, updateLegalEntity } from "./operations";
import { LegalEntityCreate, LegalEntityDetails, LegalEntityPath, LegalEntityUpdate } from "./schema";
import { legalEntities } from "./table";

const schemas = { LegalEntityDetails, LegalEntityCreate, LegalEntityUpdate };

const typeDefs = `
	type LegalEntityAddress from LegalEntityDetails.address
	type LegalEntityTaxId from LegalEntityDetails.taxIds
	type LegalEntityBankAccount from LegalEntityDetails.bankAccount
	type LegalEntityExchangeRate from LegalEntityDetails.exchangeRates
	type LegalEntityNumberFormat from LegalEntityDetails.numberFormat
	type LegalEntityLogo from LegalEntityDetails.logo
	type LegalEntityPaymentAccount from LegalEntityDetails { id name isDefault }
	"The percentage that is deducted when the customer pays within the days after the date of issue."
	type CashDiscount from LegalEntityDetails.cashDiscount
	enum IssuerWarningCode from LegalEntityDetails.warnings.code
	"A company that issues invoices."
	type LegalEntity from LegalEntityDetails {
		* language netTerms
		cashDiscount invoiceGracePeriodDays taxCurrency as Currency
		exchangeRates numberFormat logo
		"Details that valid invoices need and that are missing."
		warnings as IssuerWarning { * }
		paymentAccounts: [LegalEntityPaymentAccount!]! archivedAt createdAt updatedAt
	}
	${connectionTypes("LegalEntity", false)}
	input CashDiscountInput from LegalEntityDetails.cashDiscount
	input LegalEntityAddressInput from LegalEntityDetails.address
	input LegalEntityBankAccountInput from LegalEntityCreate.bankAccount
	input LegalEntityExchangeRateInput from LegalEntityDetails.exchangeRates
	"A PNG or JPEG image."
	input LegalEntityLogoInput from LegalEntityCreate.logo
	input LegalEntityNumberFormatInput from LegalEntityCreate.numberFormat
	input LegalEntityNumberFormatChangeInput from LegalEntityUpdate.numberFormat
	input CreateLegalEntityInput from LegalEntityCreate {
		name numberFormat * language netTerms cashDiscount invoiceGracePeriodDays taxCurrency as Currency
		exchangeRates logo isDefault
	}
	"Omitted members stay. Null clears."
	input UpdateLegalEntityInput from LegalEntityUpdate {
		id: ID! name numberFormat * language netTerms cashDiscount invoiceGracePeriodDays taxCurrency as Currency
		exchangeRates logo isDefault
	}
	input ArchiveLegalEntityInput { id: ID! }
`;

interface Shown extends LegalEntityDetails {
	readonly accounts: Issuer["accounts"];
}

const legalEntity = fieldsOf<Shown>({ fields: { paymentAccounts: ({ accounts }) => accounts } });

function shownByIds(work: Work, ids: readonly string[]): Map<string, Shown> {
	const issuers = issuersByIds(work, ids);
	const view = shownBy(work, [...issuers.values()]);
	return new Map([...issuers].map(([id, issuer]) => [id, { ...view(issuer), accounts: issuer.accounts }]));
}

const show = (work: Work, { entity }: Issuer): Shown | null => shownByIds(work, [entity.id]).get(entity.id) ?? null;

const scope = "INVOICE:READ";

/** As in REST, the scope to change the environment. */
const write = mutationsOf({
	...{ returns: "LegalEntity", scope: "ENVIRONMENT:WRITE", input: "ArchiveLegalEntityInput" },
	...{ path: { id: "id" }, params: LegalEntityPath.properties },
});

export const legalEntitiesGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: { LegalEntity: legalEntity },
	queries: {
		legalEntities: pagedQuery(legalEntities, {
			...{ type: "LegalEntity", args: "(paging: CursorPaging)", scope, rows: shownByIds },
			comment:
				"All of them, newest first. There is none before the first contract or document creates the default one.",
		}),
		legalEntity: {
			...{ signature: "(id: ID!): LegalEntity", scope },
			resolve: (args, { work }) => show(work, getIssuer(work, textOf(args, "id") ?? "")),
		},
	},
	mutations: {
		createLegalEntity: write.create("CreateLegalEntityInput", LegalEntityCreate, (work, body) =>
			show(work, createLegalEntity(work, body)),
		),
		updateLegalEntity: write.change("UpdateLegalEntityInput", LegalEntityUpdate, (work, id, body) =>
			show(work, updateLegalEntity(work, getIssuer(work, id), body)),
		),
		archiveLegalEntity: write.act((work, id) => show(work, archiveLegalEntity(work, getIssuer(work, id))), {
			comment: "It can no longer be assigned. Existing assignments stay.",
		}),
	},
};
