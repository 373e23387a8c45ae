import { eq } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, textOf } from "../../graphql/area";
import { connectionTypes } from "../../graphql/derive/types";
import { NoBody, operation } from "../../graphql/input/operation";
import { pagedQuery } from "../../graphql/lists/paged";
import type { Work } from "../../kernel/work";
import { getCustomer } from "../customers/operations";
import { listCreditors, setCreditor } from "./operations.creditors";
import { createMandate, getMandate, mandatesByIds, revokeMandate } from "./operations.mandates";
import { mandatesShown, viewCreditor, viewMandate } from "./operations.view";
import { CreditorPath, CreditorSettings, DirectDebitCreditor, Mandate, MandateCreate, MandatePath } from "./schema";
import { mandates } from "./table";

const schemas = { CreditorSettings, DirectDebitCreditor, Mandate, MandateCreate };

const typeDefs = `
	enum MandateScheme from Mandate.scheme
	enum MandateKind from Mandate.kind
	enum MandateState from Mandate.state
	"A legal entity that collects by SEPA direct debit."
	type DirectDebitCreditor from DirectDebitCreditor {
		legalEntityId creditorId iban bic format leadDays batchBooking createdAt updatedAt
	}
	"The permission of a customer to collect from its account. Days are texts, such as 2026-02-01."
	type Mandate from Mandate {
		id: ID!
		"The caller's id."
		customerId
		legalEntityId reference creditorId scheme! as MandateScheme kind! as MandateKind state! as MandateState
		iban bic debtorName debtorAddress signedOn lastCollectedOn expiresOn stopCode createdAt updatedAt
	}
	${connectionTypes("Mandate", false)}
	"Newest first. Default: all customers."
	input MandatesInput { customerId: String paging: CursorPaging }
	"A missing setting stays."
	input SetDirectDebitCreditorInput from CreditorSettings { legalEntityId: String! * }
	"Defaults: the customer's legal entity, a reference by Tollgate, CORE, RECURRENT, and the customer's name."
	input CreateMandateInput from MandateCreate { scheme as MandateScheme kind as MandateKind * }
	input RevokeMandateInput { id: ID! }
`;

const scope = "INVOICE:READ";

const views = (work: Work, ids: readonly string[]): ReadonlyMap<string, Mandate> => {
	const rows = [...mandatesByIds(work, ids).values()];
	const shown = mandatesShown(work, rows);
	return new Map(rows.map((row) => [row.id, shown(row)]));
};

export const mandatesGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: {
		DirectDebitCreditor: fieldsOf<DirectDebitCreditor>({ fields: {} }),
		Mandate: fieldsOf<Mandate>({ fields: { id: ({ mandateId }) => mandateId } }),
	},
	queries: {
		directDebitCreditors: {
			...{ signature: ": [DirectDebitCreditor!]!", scope, comment: "The legal entities that collect by direct debit." },
			resolve: (_, { work }) => listCreditors(work).map((row) => viewCreditor(work, row)),
		},
		mandates: pagedQuery(mandates, {
			...{ type: "Mandate", args: "(input: MandatesInput!)", scope, rows: views },
			comment: "Throws CustomerNotFound.",
			where(work, input) {
				const customerId = textOf(input, "customerId");
				return customerId === undefined ? undefined : eq(mandates.customerId, getCustomer(work, customerId).id);
			},
		}),
		mandate: {
			...{ signature: "(id: ID!): Mandate", scope },
			resolve: (args, { work }) => viewMandate(work, getMandate(work, textOf(args, "id") ?? "")),
		},
	},
	mutations: {
		setDirectDebitCreditor: operation({
			...{ signature: "(input: SetDirectDebitCreditorInput!): DirectDebitCreditor", scope: "INVOICE:WRITE" },
			...{ path: { legalEntityId: "legalEntityId" }, params: CreditorPath.properties, body: CreditorSettings },
			run: (work, body, { legalEntityId }) => viewCreditor(work, setCreditor(work, legalEntityId, body)),
		}),
		createMandate: operation({
			...{ signature: "(input: CreateMandateInput!): Mandate", scope: "INVOICE:WRITE", body: MandateCreate },
			...{ path: {}, params: {} },
			comment: "Tollgate plans a direct debit for each later invoice in euro of this customer and legal entity.",
			run: (work, body) => viewMandate(work, createMandate(work, body)),
		}),
		revokeMandate: operation({
			...{ signature: "(input: RevokeMandateInput!): Mandate", scope: "INVOICE:WRITE", body: NoBody },
			...{ path: { id: "mandateId" }, params: MandatePath.properties },
			comment: "Cancels its debits that are in no file.",
			run: (work, _, { mandateId }) => viewMandate(work, revokeMandate(work, mandateId)),
		}),
	},
};
