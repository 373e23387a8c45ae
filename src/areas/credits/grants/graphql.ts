import { and, eq, type SQL, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, inputOf, textOf } from "../../../graphql/area";
import { type Input, NoBody, operation } from "../../../graphql/input/operation";
import { billingBody, isoText, sent } from "../../../graphql/input/subscription-input";
import { connect } from "../../../graphql/lists/connection";
import type { List } from "../../../graphql/lists/list";
import type { Work } from "../../../kernel/work";
import { selectGrants } from "../store.wallets";
import { creditGrants } from "../table";
import { createGrant, grantsCondition, updateGrant, voidGrantManually } from "./operations";
import { type CreditGrant, GrantCreate, GrantPath, GrantUpdate } from "./schema";
import { viewGrant, viewGrants } from "./view";

const typeDefs = `
	enum CreditGrantType { PAID PROMOTIONAL RECURRING OVERDRAFT }
	enum CreditGrantStatus { PAYMENT_PENDING SCHEDULED ACTIVE EXPIRED VOIDED }
	enum CreditGrantSourceType { PRICE PLAN_ENTITLEMENT ADDON_ENTITLEMENT }
	type CreditGrantInvoice {
		billingId: String!
		status: InvoiceStatus!
		billingReason: String
		currency: Currency
		subTotal: Float
		tax: Float
		total: Float
		dueDate: DateTime
		requiresAction: Boolean!
		errorMessage: String
		paymentUrl: String
		pdfUrl: String
		createdAt: DateTime!
		updatedAt: DateTime!
	}
	"Credits of a custom currency that a customer, or one of its resources, was given or has bought."
	type CreditGrant {
		id: ID!
		customerId: String!
		currencyId: String!
		resourceId: String
		displayName: String!
		comment: String
		grantType: CreditGrantType!
		sourceType: CreditGrantSourceType
		status: CreditGrantStatus!
		amount: Float!
		consumedAmount: Float!
		"The lower number is consumed first."
		priority: Int!
		cost: Money!
		effectiveAt: DateTime!
		expireAt: DateTime
		voidedAt: DateTime
		paymentCollection: PaymentCollection!
		invoiceId: String
		latestInvoice: CreditGrantInvoice
		additionalMetaData: JSON
		createdAt: DateTime!
		updatedAt: DateTime!
	}
	type CreditGrantEdge { node: CreditGrant! cursor: ConnectionCursor! }
	type CreditGrantConnection { edges: [CreditGrantEdge!]! pageInfo: PageInfo! totalCount: Int! }
	"Without resourceId: the grants that belong to no resource."
	input CreditGrantsInput {
		customerId: String!
		currencyId: String
		resourceId: String
		paging: CursorPaging
		environmentId: String
	}
	"What is PAID counts at once when it is stated as paid, is collected by NONE or costs nothing; else when its invoice is paid."
	input CreateCreditGrantInput {
		customerId: String!
		currencyId: String!
		resourceId: String
		displayName: String!
		comment: String
		grantType: CreditGrantType!
		amount: Float!
		cost: MoneyInput
		priority: Int
		effectiveAt: DateTime
		expireAt: DateTime
		paymentCollectionMethod: PaymentCollectionMethod
		awaitPaymentConfirmation: Boolean
		billingInformation: SubscriptionBillingInfo
		additionalMetaData: JSON
		environmentId: String
	}
	"What is left out stays; null takes comment, expiry and metadata away."
	input UpdateCreditGrantInput {
		id: ID!
		displayName: String
		comment: String
		priority: Int
		effectiveAt: DateTime
		expireAt: DateTime
		additionalMetaData: JSON
		environmentId: String
	}
	input VoidCreditGrantInput { id: ID! environmentId: String }
	extend type Query { creditGrants(input: CreditGrantsInput!): CreditGrantConnection }
	extend type Mutation {
		createCreditGrant(input: CreateCreditGrantInput!): CreditGrant
		updateCreditGrant(input: UpdateCreditGrantInput!): CreditGrant
		voidCreditGrant(input: VoidCreditGrantInput!): CreditGrant
	}
`;

const grant = fieldsOf<CreditGrant>({
	scope: "CREDIT:READ",
	open: ["id"],
	fields: {
		cost: ({ cost }) => ({ ...cost, currency: cost.currency.toUpperCase() }),
		latestInvoice: ({ latestInvoice }) =>
			latestInvoice && { ...latestInvoice, currency: latestInvoice.currency?.toUpperCase() },
		additionalMetaData: ({ metadata }) => metadata,
	},
});

/** The list of grants that match a condition, the newest first. */
const listOf = (condition: SQL | undefined): List => ({
	type: "CreditGrant",
	scope: "CREDIT:READ",
	source: sql`${creditGrants}`,
	id: creditGrants.id,
	within: ({ actor }) => sql`${and(eq(creditGrants.environmentId, actor.environmentId), condition)}`,
	fields: {},
	rows: viewsByIds,
});

const viewsByIds = (work: Work, ids: readonly string[]): Map<string, CreditGrant> =>
	new Map(viewGrants(work, selectGrants(work, ids)).map((view) => [view.id, view]));

const bodyOf = ({ environmentId: _, billingInformation, ...input }: Input): Input => ({
	...sent({
		...input,
		billingInformation: billingInformation && billingBody(inputOf({ billingInformation }, "billingInformation")),
	}),
	...sent({ effectiveAt: isoText(input.effectiveAt), expireAt: isoText(input.expireAt) }),
});

/** Here null is not the same as nothing. */
const changesOf = ({ environmentId: _, ...input }: Input): Input => ({
	...input,
	...sent({ effectiveAt: isoText(input.effectiveAt), expireAt: isoText(input.expireAt) }),
});

const byId = { id: "id" } as const;
const params = GrantPath.properties;
const scope = "CREDIT:WRITE";

export const creditGrantsGraphql: GraphqlArea = {
	typeDefs,
	types: { CreditGrant: grant },
	queries: {
		creditGrants: {
			scope: "CREDIT:READ",
			resolve(args, context) {
				const input = inputOf(args, "input");
				const condition = grantsCondition(context.work, {
					customerId: textOf(input, "customerId") ?? "",
					currencyId: textOf(input, "currencyId"),
					resourceId: textOf(input, "resourceId"),
				});
				return connect(context, new Map(), listOf(condition), { paging: input.paging });
			},
		},
	},
	mutations: {
		createCreditGrant: operation({
			scope,
			read: bodyOf,
			body: GrantCreate,
			run: (work, body) => viewGrant(work, createGrant(work, body)),
		}),
		updateCreditGrant: operation({
			scope,
			path: byId,
			params,
			read: changesOf,
			body: GrantUpdate,
			run: (work, body, { id }) => viewGrant(work, updateGrant(work, id, body)),
		}),
		voidCreditGrant: operation({
			scope,
			path: byId,
			params,
			read: ({ environmentId: _, ...input }) => input,
			body: NoBody,
			run: (work, _, { id }) => viewGrant(work, voidGrantManually(work, id)),
		}),
	},
};
