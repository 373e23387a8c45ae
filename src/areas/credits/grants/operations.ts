import { instantOf } from "../../../kernel/clock";
import { zero } from "../../../kernel/decimal";
import { assert, fail } from "../../../kernel/errors";
import type { Page } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import { defaultCurrencyOf } from "../../access/operations";
import { getCurrency, getShownCurrency } from "../../currencies/operations";
import { ensureResource, getCustomer } from "../../customers/operations";
import { assertNotArchived } from "../../customers/rules";
import { cancelInvoice, getInvoice } from "../../invoices/operations";
import { invoiceCredits } from "../invoice-credits";
import { activate, carryOutDue } from "../operations.due";
import { grantTold } from "../operations.events";
import { issueGrant, voidGrant } from "../operations.grant-life";
import { post } from "../posting";
import { creditAmountOf } from "../rules.amounts";
import { findWallet, saveGrant, selectGrants, selectWallet } from "../store.wallets";
import type { CreditGrantRow } from "../table";
import { voidWaiting } from "./operations.payment";
import { assertDates, editOf, termsOf } from "./rules";
import { assertMay } from "./rules.status";
import type { GrantCreate, GrantListQuery, GrantUpdate } from "./schema";
import { areOf, type GrantsOf, pageGrants } from "./store";

export { hasBalances } from "./store";

/**
 * Gives credits, or sells them: what is PAID counts at once where it is stated as paid, is collected by NONE or costs
 * nothing, and else when its open invoice is paid. CustomerNotFound, EntityIsArchivedError, CustomCurrencyNotFound (also of
 * one that is archived), ExpireAtMustBeLaterThanEffectiveAtError, BillingIntegrationMissing, BadUserInput.
 */
export function createGrant(work: Work, input: GrantCreate): CreditGrantRow {
	const amount = creditAmountOf("/amount", input.amount);
	const effectiveAt = input.effectiveAt === undefined ? work.now : instantOf(input.effectiveAt);
	const expireAt = input.expireAt === undefined ? null : instantOf(input.expireAt);
	assertDates(effectiveAt, expireAt);
	const customer = getCustomer(work, input.customerId);
	const currency = getCurrency(work, input.currencyId);
	assertNotArchived(customer);
	const { cost, collection } = termsOf(input, customer.billingCurrency ?? defaultCurrencyOf(work));
	if (input.resourceId !== undefined) ensureResource(work, customer.id, input.resourceId);
	const { displayName, comment, grantType, priority, metadata, billingInformation } = input;
	const invoice =
		collection === "nothing"
			? undefined
			: invoiceCredits(work, {
					...{ customer, currency, displayName, amount, cost },
					billingReason: "MANUAL",
					isPaid: collection === "paid invoice",
					billingAddress: billingInformation?.billingAddress,
					invoiceDaysUntilDue: billingInformation?.invoiceDaysUntilDue,
				});
	return issueGrant(work, {
		customerId: customer.id,
		currencyId: currency.id,
		resourceRef: input.resourceId ?? "",
		...{ displayName, comment, grantType, amount, priority, effectiveAt, expireAt, cost, metadata },
		awaitsPayment: invoice?.state === "OPEN",
		invoiceId: invoice?.id ?? null,
	});
}

/** Newest first, whatever its status and wherever it comes from. CustomerNotFound, CustomCurrencyNotFound. */
export const listGrants = (work: Work, query: GrantListQuery): Page<CreditGrantRow> =>
	pageGrants(work, query, grantsOf(work, query));

/** The same as a condition, for lists that page otherwise. */
export const grantsAsked = (work: Work, query: GrantsQuery) => areOf(grantsOf(work, query));

interface GrantsQuery {
	readonly customerId: string;
	readonly currencyId?: string | undefined;
	readonly resourceId?: string | undefined;
}

function grantsOf(work: Work, query: GrantsQuery): GrantsOf {
	const { id: customerId } = getCustomer(work, query.customerId);
	const resourceRef = query.resourceId ?? "";
	if (query.currencyId === undefined) return { customerId, resourceRef, walletId: undefined };
	const currencyId = getShownCurrency(work, query.currencyId).id;
	// Where there is no wallet yet nothing was granted, and no wallet has this id.
	return { customerId, resourceRef, walletId: findWallet(work, { customerId, currencyId, resourceRef })?.id ?? "" };
}

/**
 * Changes what is sent. Priority and dates decide what is consumed first from now on; the ledger tells that they changed.
 * CreditGrantNotFound, ExpireAtMustBeLaterThanEffectiveAtError, CannotUpdateExpireAtForExpiredCreditGrantError,
 * InvalidArgumentError for what cannot be, by its status.
 */
export function updateGrant(work: Work, id: string, input: GrantUpdate): CreditGrantRow {
	const grant = getGrantUpToDate(work, id);
	const { changes, changesTerms } = editOf(grant, input, work.now);
	if (Object.keys(changes).length === 0) return grant;
	const changed = saveGrant(work, grant, changes);
	grantTold(work, "updated", changed);
	if (!changesTerms) return changed;
	const wallet = selectWallet(work, grant.walletId);
	assert(wallet, "a grant has a wallet");
	post(work, wallet, [{ grant, eventType: "CREDITS_UPDATED", amount: zero, at: work.now }]);
	return changed.status === "SCHEDULED" && changed.effectiveAt <= work.now ? activate(work, changed) : changed;
}

/**
 * Takes what is left; what was consumed stays consumed. The open invoice of a grant that waits for its payment is canceled.
 * CreditGrantNotFound, CreditGrantAlreadyVoided, CreditGrantCannotBeVoided.
 */
export function voidGrantByHand(work: Work, id: string): CreditGrantRow {
	const grant = getGrantUpToDate(work, id);
	assertMay(grant, "void");
	const { invoiceId } = grant;
	if (grant.status !== "PAYMENT_PENDING") return voidGrant(work, grant);
	if (invoiceId !== null && getInvoice(work, invoiceId).state === "OPEN") cancelInvoice(work, invoiceId);
	return voidWaiting(work, grant);
}

/** With all that is due of its wallet carried out; CreditGrantNotFound. */
function getGrantUpToDate(work: Work, id: string): CreditGrantRow {
	carryOutDue(work, getGrant(work, id).walletId);
	return getGrant(work, id);
}

function getGrant(work: Work, id: string): CreditGrantRow {
	const [grant] = selectGrants(work, [id]);
	if (!grant)
		throw fail(
			"CreditGrantNotFound",
			`There is no credit grant '${id}' in this environment; the list of a customer's grants shows their ids.`,
		);
	return grant;
}
