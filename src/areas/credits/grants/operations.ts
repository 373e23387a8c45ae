import { instantOf } from "../../../kernel/clock";
import { zero } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Page } from "../../../kernel/page";
import type { Work } from "../../../kernel/work";
import { defaultCurrencyOf } from "../../access/operations";
import { getCurrency, getShownCurrency } from "../../currencies/operations";
import { ensureResource, getCustomer } from "../../customers/operations";
import { assertNotArchived } from "../../customers/rules";
import { cancelInvoice, getInvoice } from "../../invoices/operations";
import { invoiceCredits } from "../invoice-credits";
import { activate } from "../operations.activate";
import { carryOutDue } from "../operations.due";
import { emitGrantEvent } from "../operations.events";
import { issueGrant } from "../operations.issue";
import { voidGrant } from "../operations.void";
import { post } from "../posting";
import { creditAmountOf } from "../rules.amounts";
import { findWallet, getWallet, saveGrant, selectGrants } from "../store.wallets";
import type { CreditGrantRow } from "../table";
import { voidPendingGrant } from "./operations.payment";
import { assertDates, editOf, termsOf } from "./rules";
import { assertAllowed } from "./rules.status";
import type { GrantCreate, GrantListQuery, GrantUpdate } from "./schema";
import { conditionOf, type GrantFilter, pageGrants } from "./store";

export { hasBalances } from "./store";

/**
 * Grants or sells credits. A PAID grant is active at once if it is stated as paid, is collected by NONE or costs nothing; otherwise
 * when its open invoice is paid. Throws CustomerNotFound, EntityIsArchivedError, CustomCurrencyNotFound (also for an archived currency),
 * ExpireAtMustBeLaterThanEffectiveAtError, BillingIntegrationMissing, BadUserInput.
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

/** Lists grants of any status and source, the newest first. Throws CustomerNotFound, CustomCurrencyNotFound. */
export const listGrants = (work: Work, query: GrantListQuery): Page<CreditGrantRow> =>
	pageGrants(work, query, grantsOf(work, query));

/** Returns the filter as a condition, for lists with other pagination. */
export const grantsCondition = (work: Work, query: GrantsQuery) => conditionOf(grantsOf(work, query));

interface GrantsQuery {
	readonly customerId: string;
	readonly currencyId?: string | undefined;
	readonly resourceId?: string | undefined;
}

function grantsOf(work: Work, query: GrantsQuery): GrantFilter {
	const { id: customerId } = getCustomer(work, query.customerId);
	const resourceRef = query.resourceId ?? "";
	if (query.currencyId === undefined) return { customerId, resourceRef, walletId: undefined };
	const currencyId = getShownCurrency(work, query.currencyId).id;
	// Without a wallet there are no grants. No wallet has the empty id.
	return { customerId, resourceRef, walletId: findWallet(work, { customerId, currencyId, resourceRef })?.id ?? "" };
}

/**
 * Changes the sent fields. A new priority or date changes the order of consumption from now on, and the ledger records it.
 * Throws CreditGrantNotFound, ExpireAtMustBeLaterThanEffectiveAtError, CannotUpdateExpireAtForExpiredCreditGrantError,
 * InvalidArgumentError for changes that the status of the grant does not allow.
 */
export function updateGrant(work: Work, id: string, input: GrantUpdate): CreditGrantRow {
	const grant = getGrantUpToDate(work, id);
	const { changes, changesTerms } = editOf(grant, input, work.now);
	if (Object.keys(changes).length === 0) return grant;
	const changed = saveGrant(work, grant, changes);
	emitGrantEvent(work, "updated", changed);
	if (!changesTerms) return changed;
	post(work, getWallet(work, grant), [{ grant, eventType: "CREDITS_UPDATED", amount: zero, at: work.now }]);
	return changed.status === "SCHEDULED" && changed.effectiveAt <= work.now ? activate(work, changed) : changed;
}

/**
 * Voids a grant on request. Its remaining credits are lost, and consumed credits stay consumed. If the grant awaits its payment,
 * its open invoice is canceled. Throws CreditGrantNotFound, CreditGrantAlreadyVoided, CreditGrantCannotBeVoided.
 */
export function voidGrantManually(work: Work, id: string): CreditGrantRow {
	const grant = getGrantUpToDate(work, id);
	assertAllowed(grant, "void");
	const { invoiceId } = grant;
	if (grant.status !== "PAYMENT_PENDING") return voidGrant(work, grant);
	if (invoiceId !== null && getInvoice(work, invoiceId).state === "OPEN") cancelInvoice(work, invoiceId);
	return voidPendingGrant(work, grant);
}

/** Returns a grant after the due steps of its wallet. Throws CreditGrantNotFound. */
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
