import { toIso, toIsoOrNull } from "../../../kernel/clock";
import { toWire } from "../../../kernel/decimal";
import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { currenciesByIds } from "../../currencies/operations";
import { customersByIds } from "../../customers/operations";
import { invoicesByIds } from "../../invoices/operations";
import { issuedStateOf } from "../../invoices/rules";
import type { InvoiceRow } from "../../invoices/table";
import type { CreditGrantRow } from "../table";
import { statusAt } from "./rules.status";
import type { CreditGrant, GrantInvoice } from "./schema";
import { selectWallets } from "./store";

/** Returns grants for responses, in their order. The number of statements does not depend on the number of grants. */
export function viewGrants(work: Work, grants: readonly CreditGrantRow[]): CreditGrant[] {
	const wallets = new Map(
		selectWallets(work, unique(grants.map(({ walletId }) => walletId))).map((one) => [one.id, one]),
	);
	const currencies = currenciesByIds(work, unique([...wallets.values()].map(({ currencyId }) => currencyId)));
	const customers = customersByIds(work, unique(grants.map(({ customerId }) => customerId)));
	const invoices = invoicesByIds(work, unique(grants.flatMap(({ invoiceId }) => invoiceId ?? [])));
	return grants.map((grant): CreditGrant => {
		const currency = currencies.get(wallets.get(grant.walletId)?.currencyId ?? "");
		const customer = customers.get(grant.customerId);
		assert(currency && customer, "a grant has a customer and a currency");
		const invoice = invoices.get(grant.invoiceId ?? "");
		return {
			id: grant.id,
			customerId: customer.refId,
			currencyId: currency.refId,
			resourceId: grant.resourceRef || null,
			displayName: grant.displayName,
			comment: grant.comment,
			grantType: grant.grantType,
			sourceType: grant.sourceType,
			status: statusAt(grant, work.now),
			amount: toWire(grant.amount),
			consumedAmount: toWire(grant.consumed),
			priority: grant.priority,
			cost: { amount: toWire(grant.costAmount), currency: grant.costCurrency },
			effectiveAt: toIso(grant.effectiveAt),
			expireAt: toIsoOrNull(grant.expireAt),
			voidedAt: toIsoOrNull(grant.voidedAt),
			paymentCollection: grant.paymentCollection,
			invoiceId: grant.invoiceId,
			latestInvoice: invoice ? viewInvoice(invoice) : null,
			syncStates: null,
			metadata: grant.metadata,
			createdAt: toIso(grant.createdAt),
			updatedAt: toIso(grant.updatedAt),
		};
	});
}

export function viewGrant(work: Work, grant: CreditGrantRow): CreditGrant {
	const [view] = viewGrants(work, [grant]);
	assert(view, "a grant has a view");
	return view;
}

const viewInvoice = (invoice: InvoiceRow): GrantInvoice => ({
	billingId: invoice.id,
	billingReason: invoice.billingReason === "MANUAL" ? "MANUAL" : "OTHER",
	status: issuedStateOf(invoice),
	currency: invoice.currency,
	subTotal: toWire(invoice.subTotal),
	tax: toWire(invoice.tax),
	total: toWire(invoice.total),
	dueDate: toIso(invoice.dueAt),
	requiresAction: false,
	errorMessage: null,
	paymentUrl: null,
	pdfUrl: null,
	createdAt: toIso(invoice.createdAt),
	updatedAt: toIso(invoice.updatedAt),
});

const unique = (ids: readonly string[]): string[] => [...new Set(ids)];
