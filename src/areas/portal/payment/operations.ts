import { toWire } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Actor, Cause, Work } from "../../../kernel/work";
import type { Services } from "../../../server/context";
import { invoicesByAttempt } from "../../collection/attempts/operations.check";
import { openAttemptsOf } from "../../collection/attempts/operations.of-method";
import type { AttemptRow } from "../../collection/attempts/table";
import { listActiveConnections } from "../../collection/connections/operations";
import type { ProviderConnectionRow } from "../../collection/connections/table";
import { listMethods } from "../../collection/methods/operations";
import { isDefaultMethod } from "../../collection/methods/rules";
import { openMethodPage } from "../../collection/pages/operations.open";
import type { CustomerRow } from "../../customers/table";
import { getInvoice } from "../../invoices/operations";
import type { InvoiceRow } from "../../invoices/table";
import { issuerOf } from "../../legal-entities/operations";
import { chargeInvoice } from "../../subscriptions/lifecycle/operations.charge";
import type { OwnAttempt, PortalPayment, ProviderPage } from "./schema";

/** Our bounds: a customer with more sees the newest ones. */
const shownMax = 20;

/** Returns the connection that collects from customers for a legal entity (by row id; null: the default one). */
export function connectionFor(work: Work, legalEntityId: string | null): ProviderConnectionRow | undefined {
	const entityId = legalEntityId ?? issuerOf(work, null).entity.id;
	return listActiveConnections(work).find(
		({ legalEntityRefId }) => legalEntityRefId === null || legalEntityRefId === entityId,
	);
}

/** Returns a customer's payment methods, and the attempts that are under way. */
export function paymentOf(work: Work, customer: CustomerRow): PortalPayment {
	const { refId } = customer;
	const { rows } = listMethods(work, refId, { limit: `${shownMax}` }).page;
	const open = openAttemptsOf(work, customer.id, shownMax);
	return {
		canPay: connectionFor(work, null) !== undefined,
		methods: rows.map((row) => {
			const { id, kind, brand, last4, expiresMonth: expiryMonth, expiresYear: expiryYear } = row;
			return { id, kind, brand, last4, expiryMonth, expiryYear, isDefault: isDefaultMethod(row, customer) };
		}),
		attempts: open.map(ownAttemptsShown(work, open)),
	};
}

/** Returns a view function for these attempts. */
export function ownAttemptsShown(work: Work, rows: readonly AttemptRow[]): (row: AttemptRow) => OwnAttempt {
	const invoices = invoicesByAttempt(work, rows);
	return (row) => {
		const { id, state, currency, actionUrl, failure } = row;
		const [invoice] = invoices.get(id) ?? [];
		const bucket = failure?.bucket ?? null;
		return { id, state, amount: toWire(row.amount), currency, actionUrl, bucket, invoiceId: invoice?.invoiceId ?? "" };
	};
}

/**
 * Charges an open invoice of the customer to the default method. Throws InvoiceNotFound, BillingInvoiceStatusError,
 * BillingIntegrationMissing, PaymentMethodNotFoundError, DuplicatedEntityNotAllowed.
 */
export function payOwn(work: Work, customer: CustomerRow, invoiceId: string): OwnAttempt {
	const attempt = chargeInvoice(work, getOwnInvoice(work, customer, invoiceId).id);
	return ownAttemptsShown(work, [attempt])(attempt);
}

function getOwnInvoice(work: Work, { id, refId }: CustomerRow, invoiceId: string): InvoiceRow {
	const invoice = getInvoice(work, invoiceId);
	if (invoice.customerId !== id || invoice.state === "DRAFT")
		throw fail("InvoiceNotFound", `The customer '${refId}' has no invoice '${invoiceId}'.`);
	return invoice;
}

/**
 * Opens a page of the provider on which the customer saves a method. It leads back to `returnUrl`. Throws BillingIntegrationMissing,
 * PaymentProviderError if the provider rejects the call.
 */
export async function openOwnPage(
	services: Services,
	actor: Actor,
	cause: Cause,
	returnUrl: string,
	whose: (work: Work) => { readonly customer: CustomerRow; readonly legalEntityId: string | null },
): Promise<ProviderPage> {
	const { refId, connection } = services.transactions.read(actor, (work) => {
		const { customer, legalEntityId } = whose(work);
		return { refId: customer.refId, connection: connectionFor(work, legalEntityId) };
	});
	if (!connection) throw fail("BillingIntegrationMissing", "No payment provider is connected; please ask the seller.");
	const setup = { connectionId: connection.id, successUrl: returnUrl, cancelUrl: returnUrl };
	const { url, expiresAt } = await openMethodPage(services, actor, cause, refId, setup);
	return { url: url ?? returnUrl, expiresAt };
}
