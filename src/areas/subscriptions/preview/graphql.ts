import { Type } from "@sinclair/typebox";
import type { GraphqlArea } from "../../../graphql/area";
import { mutationsOf } from "../../../graphql/input/mutations";
import { previewBody, pricedFields, updateBody } from "../../../graphql/input/subscription-input";
import { convertTrial } from "../lifecycle/end-trial";
import { pause } from "../lifecycle/pause";
import { resume } from "../lifecycle/resume";
import { SubscriptionPause, SubscriptionResume } from "../schema";
import { Quantity } from "../schema.provision";
import { SubscriptionUpdate } from "../schema.update";
import { previewNextInvoice } from "./next-invoice";
import { previewStateChange, previewSubscription, previewUpdate } from "./preview";
import { InvoicePreview, SubscriptionPreview } from "./schema";
import { viewEstimate, viewNextInvoice, viewPreviewInMoney } from "./view.estimate";

const sums = `
	subTotal: Money! total: Money! totalExcludingTax: Money! tax: Money taxDetails: SubscriptionPreviewTaxDetails
`;

const invoice = `
	${sums} discount: Money discountDetails: SubscriptionPreviewDiscount lines: [SubscriptionPreviewLine!]
`;

/** The fields of every preview. */
const timing = `
	"Start and end are equal when nothing is billed by periods."
	billingPeriodRange: DateRange!
	isPlanDowngrade: Boolean
	"True: the change takes effect later and costs nothing now."
	hasScheduledUpdates: Boolean
	"The phases of the present plan that the change drops."
	droppedPhases: [SubscriptionPhase!]
	"The term that the change ends before its end."
	endedTerm: SubscriptionTerm
`;

const schemas = { InvoicePreview };

const typeDefs = `
	input EstimateSubscriptionInput { customerId: String! ${pricedFields} }
	input PreviewSubscriptionInput { customerId: String! ${pricedFields} }
	input EstimateSubscriptionUpdateInput {
		subscriptionId: String! addons: [SubscriptionAddonInput!] billingPeriod: BillingPeriod billingInterval: BillingIntervalInput unitQuantity: Float
		billableFeatures: [BillableFeatureInput!] charges: JSON appliedCoupon: JSON appliedCoupons: JSON phases: [PhaseInput!] term: TermInput promotionCode: String
		scheduleStrategy: String effectiveDate: DateTime environmentId: String
	}
	type DateRange from InvoicePreview.billingPeriodRange { start as DateTime end as DateTime }
	"The credit for the rest of the period and the charge that replaces it, before discount and tax."
	type SubscriptionPreviewProrations {
		hasProrations: Boolean prorationDate: DateTime credit: Money debit: Money
		"The debit less the credit."
		netAmount: Money
	}
	type SubscriptionPreviewTaxDetails { displayName: String! percentage: Float! inclusive: Boolean! }
	enum DiscountDurationType { FOREVER REPEATING }
	type SubscriptionPreviewDiscount {
		code: String type: CouponType!
		"A percentage, or an amount of the invoice's currency."
		value: Float!
		durationType: DiscountDurationType! durationInMonths: Int
	}
	type SubscriptionPreviewLine {
		description: String! quantity: Float unitPrice: Money subTotal: Money!
		"The subscription, and its customer if another one pays, on an invoice that several subscriptions share."
		subscriptionId: String customerId: String
	}
	"A whole billing period."
	type SubscriptionPricePreview { ${sums} }
	"The amount that is due now."
	type SubscriptionPreview {
		${sums} discount: SubscriptionPreviewDiscount proration: SubscriptionPreviewProrations
		subscription: SubscriptionPricePreview
		${timing}
	}
	type SubscriptionPreviewCredits { initial: Money! used: Money! remaining: Money! }
	type ImmediateSubscriptionPreviewInvoice {
		${invoice} proration: SubscriptionPreviewProrations credits: SubscriptionPreviewCredits
	}
	type SubscriptionPreviewInvoice { ${invoice} }
	type SubscriptionPreviewV2 {
		immediateInvoice: ImmediateSubscriptionPreviewInvoice!
		"Null without recurring charges."
		recurringInvoice: SubscriptionPreviewInvoice
		${timing}
	}
	"The invoice as it would be issued. The payment by the customer's balance is separate."
	type NextInvoicePreview {
		currency: Currency! issueDate: DateTime! dueDate: DateTime! billingPeriodRange: DateRange subTotal: Money!
		discount: Money! tax: Money! total: Money! balanceApplied: Money! lines: [SubscriptionPreviewLine!]!
		"False: subscriptions that share the invoice are left out, because there are more than 100, or because one cannot be billed."
		isComplete: Boolean!
	}
	input PreviewNextInvoiceInput { subscriptionId: String! environmentId: String }
`;

// Previews run in a write transaction and roll back their changes, so reading is enough.
const scope = "SUBSCRIPTION:READ";

const {
	addons,
	billingInterval,
	billingPeriod,
	charges,
	effectiveDate,
	appliedCoupon,
	appliedCoupons,
	phases,
	term,
	promotionCode,
	scheduleStrategy,
} = SubscriptionUpdate.properties;

/** The members of an update that affect the price. */
const UpdateEstimate = Type.Object(
	{
		addons,
		billingInterval,
		billingPeriod,
		charges,
		effectiveDate,
		appliedCoupon,
		appliedCoupons,
		phases,
		term,
		promotionCode,
		scheduleStrategy,
		unitQuantity: Type.Optional(Quantity),
	},
	{ additionalProperties: false },
);

const write = mutationsOf({ returns: "SubscriptionPreview", scope, read: previewBody });

const byId = mutationsOf({
	...{ returns: "NextInvoicePreview", scope, input: "PreviewNextInvoiceInput", path: { subscriptionId: "id" } },
});

const states = mutationsOf({
	...{ returns: "SubscriptionPreviewV2", scope, path: { subscriptionId: "id" }, dropsNulls: true },
});

export const subscriptionPreviewsGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	mutations: {
		estimateSubscription: write.create(
			"EstimateSubscriptionInput",
			SubscriptionPreview,
			(work, body) => viewEstimate(previewSubscription(work, body)),
			{ comment: "The cost of provisionSubscription. Nothing is changed." },
		),
		estimateSubscriptionUpdate: write.change(
			"EstimateSubscriptionUpdateInput",
			UpdateEstimate,
			(work, id, body) => viewEstimate(previewUpdate(work, id, body)),
			{ read: updateBody, comment: "The cost of updateSubscription. Nothing is changed." },
		),
		previewSubscription: write.create(
			"PreviewSubscriptionInput",
			SubscriptionPreview,
			(work, body) => viewPreviewInMoney(previewSubscription(work, body)),
			{ returns: "SubscriptionPreviewV2", comment: "As estimateSubscription, with whole invoices." },
		),
		previewEndSubscriptionTrial: byId.act(
			(work, id) => viewPreviewInMoney(previewStateChange(work, id, convertTrial)),
			{ returns: "SubscriptionPreviewV2", comment: "The invoice of endSubscriptionTrial. Nothing is changed." },
		),
		previewPauseSubscription: states.change(
			"PauseSubscriptionInput",
			SubscriptionPause,
			(work, id, body) => viewPreviewInMoney(previewStateChange(work, id, (then, row) => pause(then, row, body))),
			{ comment: "The credit and the invoice of pauseSubscription. Nothing is changed." },
		),
		previewResumeSubscription: states.change(
			"ResumeSubscriptionInput",
			SubscriptionResume,
			(work, id, body) => viewPreviewInMoney(previewStateChange(work, id, (then, row) => resume(then, row, body))),
			{ comment: "The invoice of resumeSubscription. Nothing is changed." },
		),
		previewNextInvoice: byId.act(
			(work, id) => {
				const next = previewNextInvoice(work, id);
				return next ? viewNextInvoice(next) : null;
			},
			{ comment: "The next invoice without further changes, with the usage so far. Null without a next invoice." },
		),
	},
};
