import { fieldsOf, type GraphqlArea, inputOf, textOf } from "../../../graphql/area";
import { connectionTypes } from "../../../graphql/derive/types";
import { mutationsOf } from "../../../graphql/input/mutations";
import { type Input, sent } from "../../../graphql/input/operation";
import { billingBody } from "../../../graphql/input/subscription-input";
import { pagedQuery } from "../../../graphql/lists/paged";
import type { Work } from "../../../kernel/work";
import { selectGrants } from "../store.wallets";
import { creditGrants } from "../table";
import { createGrant, grantsCondition, updateGrant, voidGrantManually } from "./operations";
import { CreditGrant, GrantCreate, GrantPath, GrantUpdate } from "./schema";
import { viewGrant, viewGrants } from "./view";

const schemas = { CreditGrant, GrantCreate, GrantUpdate };

const typeDefs = `
	enum CreditGrantType from CreditGrant.grantType
	enum CreditGrantStatus from CreditGrant.status
	enum CreditGrantSourceType from CreditGrant.sourceType
	"Credits of a custom currency that were granted to a customer or to one of its resources, or that it bought."
	type CreditGrant from CreditGrant {
		id customerId currencyId resourceId displayName comment grantType
		sourceType status amount consumedAmount
		"The grant with the lowest number is consumed first."
		priority
		cost effectiveAt expireAt voidedAt paymentCollection as PaymentCollection invoiceId
		latestInvoice as CreditGrantInvoice { billingId status as InvoiceStatus * } additionalMetaData createdAt
		updatedAt
	}
	${connectionTypes("CreditGrant", true)}
	"Without resourceId: the grants that belong to no resource."
	input CreditGrantsInput {
		customerId: String! currencyId: String resourceId: String paging: CursorPaging environmentId: String
	}
	"A PAID grant is active at once if it is stated as paid, collected by NONE or free. Else it waits for its invoice."
	input CreateCreditGrantInput from GrantCreate {
		* grantType as CreditGrantType amount cost priority effectiveAt as DateTime expireAt as DateTime
		paymentCollectionMethod as PaymentCollectionMethod awaitPaymentConfirmation
		billingInformation as SubscriptionBillingInfo additionalMetaData environmentId
	}
	"Omitted members stay. Null clears comment, expiry and metadata."
	input UpdateCreditGrantInput from GrantUpdate {
		id: ID! * effectiveAt as DateTime expireAt as DateTime additionalMetaData environmentId
	}
	input VoidCreditGrantInput { id: ID! environmentId: String }
`;

const grant = fieldsOf<CreditGrant>({ scope: "CREDIT:READ", open: ["id"], fields: {} });

const viewsByIds = (work: Work, ids: readonly string[]): Map<string, CreditGrant> =>
	new Map(viewGrants(work, selectGrants(work, ids)).map((view) => [view.id, view]));

const bodyOf = ({ billingInformation, ...input }: Input): Input =>
	sent({
		...input,
		billingInformation: billingInformation && billingBody(inputOf({ billingInformation }, "billingInformation")),
	});

const write = mutationsOf({
	...{ returns: "CreditGrant", scope: "CREDIT:WRITE", input: "VoidCreditGrantInput" },
	...{ path: { id: "id" }, params: GrantPath.properties },
});

export const creditGrantsGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: { CreditGrant: grant },
	queries: {
		creditGrants: pagedQuery(creditGrants, {
			...{ type: "CreditGrant", args: "(input: CreditGrantsInput!)", scope: "CREDIT:READ", rows: viewsByIds },
			where: (work, input) =>
				grantsCondition(work, {
					customerId: textOf(input, "customerId") ?? "",
					currencyId: textOf(input, "currencyId"),
					resourceId: textOf(input, "resourceId"),
				}),
		}),
	},
	mutations: {
		createCreditGrant: write.create(
			"CreateCreditGrantInput",
			GrantCreate,
			(work, body) => viewGrant(work, createGrant(work, body)),
			{ read: bodyOf },
		),
		updateCreditGrant: write.change("UpdateCreditGrantInput", GrantUpdate, (work, id, body) =>
			viewGrant(work, updateGrant(work, id, body)),
		),
		voidCreditGrant: write.act((work, id) => viewGrant(work, voidGrantManually(work, id))),
	},
};
