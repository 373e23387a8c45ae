import { Type } from "@sinclair/typebox";
import type { GraphqlArea } from "../../../graphql/area";
import { NoBody, operation } from "../../../graphql/input/operation";
import { previewBody, pricedFields, updateBody } from "../../../graphql/input/subscription-input";
import type { Work } from "../../../kernel/work";
import { Quantity } from "../schema.provision";
import { SubscriptionUpdate } from "../schema.update";
import { previewNextInvoice } from "./next-invoice";
import { previewSubscription, previewUpdate } from "./preview";
import { SubscriptionPreview } from "./schema";
import { viewEstimate, viewNextInvoice, viewPreviewInMoney } from "./view.estimate";

const sums = `
	subTotal: Money!
	total: Money!
	totalExcludingTax: Money!
	tax: Money
	taxDetails: SubscriptionPreviewTaxDetails
`;

const invoice = `
	${sums}
	discount: Money
	discountDetails: SubscriptionPreviewDiscount
	lines: [SubscriptionPreviewLine!]
`;

/** The half that every preview has. */
const timing = `
	"From and to the same instant where nothing is billed by periods."
	billingPeriodRange: DateRange!
	isPlanDowngrade: Boolean
	"True: it takes effect later, and costs nothing now."
	hasScheduledUpdates: Boolean
`;

const typeDefs = `
	input EstimateSubscriptionInput { customerId: String! ${pricedFields} }
	input PreviewSubscriptionInput { customerId: String! ${pricedFields} }
	input EstimateSubscriptionUpdateInput {
		subscriptionId: String!
		addons: [SubscriptionAddonInput!]
		billingPeriod: BillingPeriod
		unitQuantity: Float
		billableFeatures: [BillableFeatureInput!]
		charges: JSON
		appliedCoupon: JSON
		promotionCode: String
		scheduleStrategy: String
		environmentId: String
	}
	type DateRange { start: DateTime! end: DateTime! }
	"What is given back for the rest of the period, and what is charged for it instead; before discount and tax."
	type SubscriptionPreviewProrations {
		hasProrations: Boolean
		prorationDate: DateTime
		credit: Money
		debit: Money
		"What is charged less what is given back."
		netAmount: Money
	}
	type SubscriptionPreviewTaxDetails { displayName: String! percentage: Float! inclusive: Boolean! }
	enum DiscountDurationType { FOREVER REPEATING }
	type SubscriptionPreviewDiscount {
		code: String
		type: CouponType!
		"A percentage, or an amount of the invoice's currency."
		value: Float!
		durationType: DiscountDurationType!
		durationInMonths: Int
	}
	type SubscriptionPreviewLine { description: String! quantity: Float unitPrice: Money subTotal: Money! }
	"A whole billing period."
	type SubscriptionPricePreview { ${sums} }
	"What is due at once."
	type SubscriptionPreview {
		${sums}
		discount: SubscriptionPreviewDiscount
		proration: SubscriptionPreviewProrations
		subscription: SubscriptionPricePreview
		${timing}
	}
	type SubscriptionPreviewCredits { initial: Money! used: Money! remaining: Money! }
	type ImmediateSubscriptionPreviewInvoice {
		${invoice}
		proration: SubscriptionPreviewProrations
		credits: SubscriptionPreviewCredits
	}
	type SubscriptionPreviewInvoice { ${invoice} }
	type SubscriptionPreviewV2 {
		immediateInvoice: ImmediateSubscriptionPreviewInvoice!
		"Null where nothing recurs."
		recurringInvoice: SubscriptionPreviewInvoice
		${timing}
	}
	"As it would be issued; what the customer's balance pays of it is told apart."
	type NextInvoicePreview {
		currency: Currency!
		issueDate: DateTime!
		dueDate: DateTime!
		billingPeriodRange: DateRange
		subTotal: Money!
		discount: Money!
		tax: Money!
		total: Money!
		balanceApplied: Money!
		lines: [SubscriptionPreviewLine!]!
	}
	input PreviewNextInvoiceInput { subscriptionId: String! environmentId: String }
	extend type Mutation {
		"What provisionSubscription would cost; nothing is done."
		estimateSubscription(input: EstimateSubscriptionInput!): SubscriptionPreview
		"What updateSubscription would cost; nothing is done."
		estimateSubscriptionUpdate(input: EstimateSubscriptionUpdateInput!): SubscriptionPreview
		"As estimateSubscription, with whole invoices."
		previewSubscription(input: PreviewSubscriptionInput!): SubscriptionPreviewV2
		"What is invoiced next if nothing else happens, with the usage that is counted by now; null where nothing is."
		previewNextInvoice(input: PreviewNextInvoiceInput!): NextInvoicePreview
	}
`;

// They write nothing, whatever their transaction says: what is done is taken back.
const scope = "SUBSCRIPTION:READ";

const { addons, billingPeriod, charges, appliedCoupon, promotionCode, scheduleStrategy } =
	SubscriptionUpdate.properties;

/** What has a price, of what an update takes. */
const UpdateEstimate = Type.Object(
	{
		addons,
		billingPeriod,
		charges,
		appliedCoupon,
		promotionCode,
		scheduleStrategy,
		unitQuantity: Type.Optional(Quantity),
	},
	{ additionalProperties: false },
);

const preview = { scope, read: previewBody, body: SubscriptionPreview } as const;

export const subscriptionPreviewsGraphql: GraphqlArea = {
	typeDefs,
	mutations: {
		estimateSubscription: operation({
			...preview,
			run: (work: Work, body) => viewEstimate(previewSubscription(work, body)),
		}),
		estimateSubscriptionUpdate: operation({
			scope,
			path: { refId: "id" },
			read: updateBody,
			body: UpdateEstimate,
			run: (work, body, { id }) => viewEstimate(previewUpdate(work, id, body)),
		}),
		previewSubscription: operation({
			...preview,
			run: (work: Work, body) => viewPreviewInMoney(previewSubscription(work, body)),
		}),
		previewNextInvoice: operation({
			scope,
			path: { subscriptionId: "id" },
			read: ({ environmentId: _, ...input }) => input,
			body: NoBody,
			run(work, _, { id }) {
				const next = previewNextInvoice(work, id);
				return next ? viewNextInvoice(next) : null;
			},
		}),
	},
};
