import { Type } from "@sinclair/typebox";
import { fieldsOf, type GraphqlArea, textOf } from "../../../graphql/area";
import { connectionTypes } from "../../../graphql/derive/types";
import { mutationsOf } from "../../../graphql/input/mutations";
import { pagedQuery } from "../../../graphql/lists/paged";
import { checker } from "../../../http/validation";
import { CustomerRefId } from "../../../kernel/schema";
import type { Work } from "../../../kernel/work";
import { customersByIds, getCustomer } from "../../customers/operations";
import { attachMethod } from "./attach";
import { methodsByIds } from "./operations";
import { chooseDefault, type MethodOperations, type OwnMethod } from "./operations.choose";
import { MethodAttach, PaymentMethod } from "./schema";
import { ofCustomer } from "./store";
import { paymentMethods } from "./table";
import { viewMethod } from "./view";

const schemas = { PaymentMethod, MethodAttach };

const typeDefs = `
	enum SavedPaymentMethodKind from PaymentMethod.kind
	"A payment method that a customer has saved at a provider. It has no card number."
	type SavedPaymentMethod from PaymentMethod {
		id connectionId
		"The provider's id."
		paymentMethodId
		kind as SavedPaymentMethodKind brand last4 expiryMonth expiryYear country
		"Whether Tollgate charges this one."
		isDefault
		createdAt
	}
	${connectionTypes("SavedPaymentMethod", false)}
	input SavedPaymentMethodInput { customerId: ID! savedPaymentMethodId: ID! }
	input SavedPaymentMethodsInput { customerId: String! paging: CursorPaging }
	"connectionId may be left out if there is one connection."
	input SavePaymentMethodInput from MethodAttach { customerId: ID! * }
`;

const scope = "CUSTOMER:READ";
const readBody = checker("body", MethodAttach);

const views = (work: Work, ids: readonly string[]): ReadonlyMap<string, PaymentMethod> => {
	const methods = methodsByIds(work, ids);
	const customers = customersByIds(work, [...new Set([...methods.values()].map(({ customerId }) => customerId))]);
	return new Map(
		[...methods].flatMap(([id, row]) => {
			const customer = customers.get(row.customerId);
			return customer ? [[id, viewMethod(row, customer)] as const] : [];
		}),
	);
};

const Chosen = Type.Object(
	{ savedPaymentMethodId: Type.String({ minLength: 1, maxLength: 255 }) },
	{ additionalProperties: false },
);

const write = mutationsOf({
	...{
		returns: "SavedPaymentMethod",
		scope: "CUSTOMER:WRITE",
		path: { customerId: "id" },
		params: { id: CustomerRefId },
	},
});

const show = ({ customer, method }: OwnMethod): PaymentMethod => viewMethod(method, customer);

/** A removal needs subscriptions. Their area is later, so `graphql/schema.ts` passes the operation in. */
export const methodsGraphql = ({ removeMethod }: MethodOperations): GraphqlArea => ({
	schemas,
	typeDefs,
	types: { SavedPaymentMethod: fieldsOf<PaymentMethod>({ fields: {} }) },
	queries: {
		savedPaymentMethods: pagedQuery(paymentMethods, {
			...{ type: "SavedPaymentMethod", args: "(input: SavedPaymentMethodsInput!)", scope, rows: views },
			comment: "The payment methods of a customer, newest first. Throws CustomerNotFound.",
			where: (work, input) => ofCustomer(getCustomer(work, textOf(input, "customerId") ?? "").id),
		}),
	},
	mutations: {
		savePaymentMethod: {
			...{ signature: "(input: SavePaymentMethodInput!): SavedPaymentMethod", scope: "CUSTOMER:WRITE" },
			comment: "Looks up a method of the provider and makes it the customer's default.",
			perform: ({ input }, actor, services) => {
				const { customerId, ...body } = input as Readonly<Record<string, unknown>>;
				return attachMethod(services, actor, { operation: "savePaymentMethod" }, `${customerId}`, readBody(body));
			},
		},
		setDefaultPaymentMethod: write.change(
			"SavedPaymentMethodInput",
			Chosen,
			(work, id, { savedPaymentMethodId }) => show(chooseDefault(work, id, savedPaymentMethodId)),
			{ comment: "Tollgate charges this saved method from then on." },
		),
		removePaymentMethod: write.change(
			"SavedPaymentMethodInput",
			Chosen,
			(work, id, { savedPaymentMethodId }) => show(removeMethod(work, id, savedPaymentMethodId)),
			{ comment: "Tollgate charges the method no more, and deletes it at the provider shortly after." },
		),
	},
});
