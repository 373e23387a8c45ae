import { fieldsOf, type GraphqlArea, textOf } from "../../../graphql/area";
import { checker } from "../../../http/validation";
import { getPage } from "./operations";
import { openMethodPage } from "./operations.open";
import { MethodPage, MethodSetup } from "./schema";
import { viewPageOf } from "./view";

const schemas = { MethodPage, MethodSetup };

const typeDefs = `
	enum PaymentMethodPageState from MethodPage.state
	"A page of a payment provider on which a customer saves a payment method."
	type PaymentMethodPage from MethodPage {
		id connectionId state as PaymentMethodPageState
		"The address for the customer. Null once the page has ended."
		url
		expiresAt createdAt
	}
	input SetupPaymentMethodInput from MethodSetup { customerId: ID! * }
`;

const readBody = checker("body", MethodSetup);

export const methodPagesGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: { PaymentMethodPage: fieldsOf<MethodPage>({ scope: "CUSTOMER:READ", open: ["id"], fields: {} }) },
	queries: {
		paymentMethodPage: {
			...{ signature: "(customerId: ID!, id: ID!): PaymentMethodPage", scope: "CUSTOMER:READ" },
			resolve: (args, { work }) =>
				viewPageOf(getPage(work, textOf(args, "customerId") ?? "", textOf(args, "id") ?? "")),
		},
	},
	mutations: {
		setupPaymentMethod: {
			...{ signature: "(input: SetupPaymentMethodInput!): PaymentMethodPage", scope: "CUSTOMER:WRITE" },
			comment: "Opens a page of the provider on which the customer saves a payment method.",
			perform: ({ input }, actor, services) => {
				const { customerId, ...body } = input as Readonly<Record<string, unknown>>;
				return openMethodPage(services, actor, { operation: "setupPaymentMethod" }, `${customerId}`, readBody(body));
			},
		},
	},
};
