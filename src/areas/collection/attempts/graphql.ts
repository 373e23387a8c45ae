import { and, eq } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, textOf } from "../../../graphql/area";
import { connectionTypes } from "../../../graphql/derive/types";
import { mutationsOf } from "../../../graphql/input/mutations";
import { operation } from "../../../graphql/input/operation";
import { pagedQuery } from "../../../graphql/lists/paged";
import type { Work } from "../../../kernel/work";
import { getCustomer } from "../../customers/operations";
import { cancelByHand, getAttempt } from "./operations";
import { type ChargeOperations, resolveAttempt } from "./operations.steps";
import { attemptStates } from "./rules.states";
import { AttemptCreate, AttemptPath, AttemptResolution, PaymentAttempt } from "./schema";
import { ofInvoice, selectAttempts } from "./store";
import { attempts } from "./table";
import { attemptsShown, viewAttempt } from "./view";

const schemas = { PaymentAttempt, AttemptCreate, AttemptResolution };

const typeDefs = `
	enum PaymentAttemptState from PaymentAttempt.state
	enum PaymentAttemptTrigger from PaymentAttempt.trigger
	enum PaymentAttemptOutcome from AttemptResolution.outcome
	"An invoice that an attempt is to pay."
	type PaymentAttemptInvoice { invoiceId: String! amount: Float! }
	"Why a charge failed: the provider's code, and the prospect of further attempts."
	type PaymentAttemptFailure { code: String! message: String! bucket: String! }
	"An attempt to collect an amount once."
	type PaymentAttempt from PaymentAttempt {
		id state as PaymentAttemptState trigger as PaymentAttemptTrigger
		"The caller's id."
		customerId
		connectionId paymentMethodId amount as Money currency
		invoices: [PaymentAttemptInvoice!]!
		"The provider's reference of the payment."
		reference
		failure: PaymentAttemptFailure
		"Where the customer authenticates."
		actionUrl
		receiptId createdAt endedAt
	}
	${connectionTypes("PaymentAttempt", false)}
	"Newest first. Defaults: all customers, invoices and states."
	input PaymentAttemptsInput { customerId: String invoiceId: String state: PaymentAttemptState paging: CursorPaging }
	"Without a paymentMethodId: the customer's default method."
	input ChargeInvoiceInput from AttemptCreate { * }
	input ResolvePaymentAttemptInput from AttemptResolution { id: ID! outcome as PaymentAttemptOutcome * }
	input PaymentAttemptIdInput { id: ID! }
`;

const scope = "INVOICE:READ";

const views = (work: Work, ids: readonly string[]): ReadonlyMap<string, PaymentAttempt> => {
	const rows = selectAttempts(work, ids);
	const shown = attemptsShown(work, rows);
	return new Map(rows.map((row) => [row.id, shown(row)]));
};

const write = mutationsOf({
	...{ returns: "PaymentAttempt", scope: "INVOICE:WRITE", path: { id: "id" }, params: AttemptPath.properties },
	input: "PaymentAttemptIdInput",
});

/** A charge needs invoices. Their area is later, so `graphql/schema.ts` passes these operations in. */
export const attemptsGraphql = ({ chargeInvoice, settleAttempt }: ChargeOperations): GraphqlArea => ({
	schemas,
	typeDefs,
	types: { PaymentAttempt: fieldsOf<PaymentAttempt>({ fields: {} }) },
	queries: {
		paymentAttempts: pagedQuery(attempts, {
			...{ type: "PaymentAttempt", args: "(input: PaymentAttemptsInput!)", scope, rows: views },
			comment: "Throws CustomerNotFound.",
			where(work, input) {
				const [customerId, invoiceId] = [textOf(input, "customerId"), textOf(input, "invoiceId")];
				const state = attemptStates.find((one) => one === input.state);
				return and(
					customerId === undefined ? undefined : eq(attempts.customerId, getCustomer(work, customerId).id),
					invoiceId === undefined ? undefined : ofInvoice(work, invoiceId),
					state === undefined ? undefined : eq(attempts.state, state),
				);
			},
		}),
		paymentAttempt: {
			...{ signature: "(id: ID!): PaymentAttempt", scope },
			resolve: (args, { work }) => viewAttempt(work, getAttempt(work, textOf(args, "id") ?? "")),
		},
	},
	mutations: {
		chargeInvoice: operation({
			...{ signature: "(input: ChargeInvoiceInput!): PaymentAttempt", scope: "INVOICE:WRITE", path: {}, params: {} },
			comment: "Charges the amount due of an OPEN invoice to a saved payment method.",
			body: AttemptCreate,
			run: (work, { invoiceId, paymentMethodId }) => viewAttempt(work, chargeInvoice(work, invoiceId, paymentMethodId)),
		}),
		cancelPaymentAttempt: write.act((work, id) => viewAttempt(work, cancelByHand(work, id))),
		resolvePaymentAttempt: write.change(
			"ResolvePaymentAttemptInput",
			AttemptResolution,
			(work, id, body) => viewAttempt(work, resolveAttempt(work, id, body, settleAttempt)),
			{ comment: "Ends an UNKNOWN attempt by the outcome that a person has found at the provider." },
		),
	},
});
