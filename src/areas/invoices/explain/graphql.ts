import { fieldsOf, type GraphqlArea, textOf } from "../../../graphql/area";
import { checker } from "../../../http/validation";
import { explainLineOf } from "./line";
import { LineExplanation, LinePath } from "./schema";

const schemas = { LineExplanation };

const typeDefs = `
	"The calculation of an invoice line. Amounts are in major units of its currency."
	type InvoiceLineExplanation from LineExplanation {
		invoiceId number: String line description currency periodStart periodEnd
		"Null unless a price of a plan or an addon was used."
		price as InvoiceLinePrice { packageId version as Int phase as InvoiceLinePhase { * } upliftPercentage * tiers as InvoiceLineTier { * } }
		contractItem as InvoiceLineContractItem { * rows as InvoiceLineContractRow { * } }
		usage as InvoiceLineUsage "included is null without a limit." {
			* unitTransformation as InvoiceLineUnitTransformation { * }
		}
		proration as InvoiceLineProration "The part of the period that is charged or credited." {
			from as DateTime to as DateTime *
		}
		"The customer and the subscription, if another customer pays as its parent."
		customerId subscriptionId
		chargeKey variantId dimensions
		discountLabel taxPercentage taxes as InvoiceLineTax { * } discounts as InvoiceLineDiscount { * }
		freeUnits as InvoiceLineFreeUnits { * } amount discount tax total
		steps as InvoiceLineStep "arithmetic: numbers, + - * / ( ), round(x, digits) half up, ceil, floor, min, max." { * }
	}
`;

const explanation = fieldsOf<LineExplanation>({
	fields: {
		number: ({ invoiceNumber }) => invoiceNumber || null,
	},
});

const readPath = checker("params", LinePath);

export const lineExplanationGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: { InvoiceLineExplanation: explanation },
	queries: {
		invoiceLineExplanation: {
			signature: "(customerId: String!, invoiceId: String!, line: Int!): InvoiceLineExplanation",
			comment: "line: the number in lines, from 1. Throws CustomerNotFound, InvoiceNotFound.",
			scope: "INVOICE:READ",
			resolve(args, { work }) {
				const [customerRef, invoiceRef] = [textOf(args, "customerId"), textOf(args, "invoiceId")];
				const path = readPath({ id: customerRef, invoiceRef, line: String(args.line) });
				return explainLineOf(work, path.id, path.invoiceRef, Number(path.line));
			},
		},
	},
};
