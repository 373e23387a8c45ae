import { fieldsOf, type GraphqlArea, textOf } from "../../../graphql/area";
import { checker } from "../../../http/validation";
import { explainLineOf } from "./line";
import { type LineExplanation, LinePath } from "./schema";

const typeDefs = `
	type InvoiceLineTier { upTo: Float unitPrice: Float flatPrice: Float }
	type InvoiceLinePrice {
		packageId: String
		version: Int
		billingModel: String!
		isOverage: Boolean!
		price: Float
		blockSize: Float
		tiersMode: String
		tiers: [InvoiceLineTier!]!
	}
	type InvoiceLineContractRow { quantity: Float price: Float from: Float to: Float packageSize: Float }
	type InvoiceLineContractItem {
		itemId: String!
		pricingModel: String!
		isPayAsYouGo: Boolean!
		rows: [InvoiceLineContractRow!]!
	}
	type InvoiceLineUnitTransformation { divide: Float! round: String! }
	"included is null where there is no limit to go beyond."
	type InvoiceLineUsage {
		featureId: String
		used: Float!
		billedBefore: Float!
		included: Float
		unitTransformation: InvoiceLineUnitTransformation
	}
	"The part of the period that is charged or given back."
	type InvoiceLineProration { from: DateTime to: DateTime partMs: Float! wholeMs: Float! fraction: Float! }
	"arithmetic has numbers, + - * / ( ), round(x, digits) half up, ceil, floor, min and max."
	type InvoiceLineStep { of: String! text: String! arithmetic: String! value: Float! }
	"How a line of an invoice came about. Amounts are in major units of its currency."
	type InvoiceLineExplanation {
		invoiceId: String!
		number: String
		line: Int!
		description: String!
		currency: Currency!
		periodStart: DateTime
		periodEnd: DateTime
		"Null where it was not calculated from a price of a plan or an addon."
		price: InvoiceLinePrice
		contractItem: InvoiceLineContractItem
		usage: InvoiceLineUsage
		proration: InvoiceLineProration
		discountLabel: String
		taxPercentage: Float
		amount: Float!
		discount: Float!
		tax: Float!
		total: Float!
		steps: [InvoiceLineStep!]!
	}
	extend type Query {
		"The line's number in lines, from 1. Throws CustomerNotFound, InvoiceNotFound."
		invoiceLineExplanation(customerId: String!, invoiceId: String!, line: Int!): InvoiceLineExplanation
	}
`;

const explanation = fieldsOf<LineExplanation>({
	fields: {
		number: ({ invoiceNumber }) => invoiceNumber || null,
		currency: ({ currency }) => currency.toUpperCase(),
	},
});

const readPath = checker("params", LinePath);

export const lineExplanationGraphql: GraphqlArea = {
	typeDefs,
	types: { InvoiceLineExplanation: explanation },
	queries: {
		invoiceLineExplanation: {
			scope: "INVOICE:READ",
			resolve(args, { work }) {
				const [customerRef, invoiceRef] = [textOf(args, "customerId"), textOf(args, "invoiceId")];
				const path = readPath({ id: customerRef, invoiceRef, line: String(args.line) });
				return explainLineOf(work, path.id, path.invoiceRef, Number(path.line));
			},
		},
	},
};
