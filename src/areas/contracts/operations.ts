import { type Decimal, zero } from "../../kernel/decimal";
import { fail } from "../../kernel/errors";
import type { Page } from "../../kernel/page";
import type { Work } from "../../kernel/work";
import { customersByIds, findCustomer, findCustomerByRefOrBillingId, getCustomer } from "../customers/operations";
import { assertNotArchived } from "../customers/rules";
import { amountsDue, latestInvoicesOfContracts } from "../invoices/operations";
import type { InvoiceRow } from "../invoices/table";
import { ensureDefaultLegalEntity } from "../legal-entities/operations";
import { versionsByIds } from "../packages/operations";
import { productsByIds } from "../products/operations";
import {
	currenciesOf,
	getSubscription,
	provisionSubscription,
	setContract,
	subscriptionsByIds,
} from "../subscriptions/operations";
import { hasEnded, statusAt } from "../subscriptions/rules.status";
import type { SubscriptionRow } from "../subscriptions/table";
import { nextInvoicesOf } from "./billing/next-invoice";
import type { PlannedInvoice } from "./billing/rules.schedule";
import { assertFreeOfRoutes, assertRenewable, readRenewal, readWindow } from "./rules";
import { assertMembers, assertOneOfTwo, type Member } from "./rules.membership";
import type { ContractCreate, ContractListQuery, SubscriptionEntry } from "./schema";
import { findContract, insertContract, membersOf, pageContracts, type StatedContract, saveMembers } from "./store";

/** Throws ContractNotFound. */
export function getContract(work: Work, refId: string): StatedContract {
	const contract = findContract(work, refId);
	if (!contract) throw fail("ContractNotFound", `There is no contract '${refId}' in this environment.`);
	return contract;
}

/** A customer that does not exist has no contracts. */
export const listContracts = (work: Work, query: ContractListQuery): Page<StatedContract> =>
	pageContracts(
		work,
		query,
		query.customerExternalId === undefined ? undefined : (findCustomer(work, query.customerExternalId)?.id ?? null),
	);

/**
 * Returns every contract of a customer, newest first, without pages as in the interface. `ref` is the caller's id or
 * the billing id, as for a customer's invoices. CustomerNotFound.
 */
export function contractsOf(work: Work, ref: string): StatedContract[] {
	const { refId } = findCustomerByRefOrBillingId(work, ref) ?? getCustomer(work, ref);
	const contracts: StatedContract[] = [];
	let after: string | null | undefined;
	while (after !== null) {
		const page = listContracts(work, { customerExternalId: refId, limit: "100", ...(after && { after }) });
		contracts.push(...page.rows);
		after = page.next;
	}
	return contracts;
}

/**
 * Creates a contract with all its subscriptions, or nothing. If the `contractId` exists, that contract is returned
 * unchanged, and the rest of the body is ignored (docs/interface/contracts.md). CustomerNotFound,
 * EntityIsArchivedError, SubscriptionNotFound, PlanNotFound, InvalidArgumentError, DuplicatedEntityNotAllowed, and the
 * codes of provisioning.
 */
export function createContract(work: Work, input: ContractCreate): StatedContract {
	assertOneOfTwo(input.subscriptions);
	assertFreeOfRoutes(input.contractId);
	const window = readWindow(input, { activationStartAt: null, activationEndAt: null });
	const known = input.contractId === undefined ? undefined : findContract(work, input.contractId);
	if (known) return known;
	const customer = getCustomer(work, input.customerId);
	assertNotArchived(customer);
	// A later error also rolls back the provisioned subscriptions: it is one transaction.
	const subscriptions = input.subscriptions.map((entry) => provisioned(work, entry));
	assertMembers({ customerId: customer.id }, members(work, subscriptions));
	const hasBilling = input.setupBilling ?? true;
	if (hasBilling) ensureDefaultLegalEntity(work);
	const renewal = input.renewal ? readRenewal(input.renewal) : null;
	const contract = insertContract(work, input.contractId, {
		customerId: customer.id,
		name: nameOf(input, customer),
		poNumber: input.poNumber ?? null,
		billingState: hasBilling ? "DRAFT" : null,
		renewal,
		...window,
	});
	assertRenewable(contract, renewal);
	group(work, contract, subscriptions);
	return getContract(work, contract.refId);
}

/** A contract without a name takes its order number or its customer's name (docs/interface/contracts.md). */
export const nameOf = (
	{ name, poNumber }: { readonly name?: string | null; readonly poNumber?: string | null },
	customer: { readonly name: string | null },
): string | null => name ?? poNumber ?? customer.name;

/** Makes these subscriptions, in this order, the whole group of a contract. */
export function group(
	work: Work,
	contract: Pick<StatedContract, "id" | "refId">,
	subscriptions: readonly SubscriptionRow[],
): void {
	saveMembers(
		work,
		contract,
		subscriptions.map(({ id }) => id),
	);
	for (const subscription of subscriptions)
		if (subscription.contractId !== contract.id) setContract(work, subscription, contract);
}

/** Other data that a contract shows: its customer, its subscriptions with plan and product names, its invoices. */
export interface ContractSurroundings {
	readonly customerRefId: string;
	readonly subscriptions: ReadonlyArray<{
		readonly refId: string;
		readonly planDisplayName: string | null;
		readonly productDisplayName: string | null;
	}>;
	readonly latestInvoice: InvoiceRow | undefined;
	/** The amount of the latest invoice that is still open. */
	readonly amountDue: Decimal;
	readonly nextInvoice: PlannedInvoice | undefined;
}

/** Returns the data of a page of contracts, by contract id. */
export function surroundingsOf(work: Work, shown: readonly StatedContract[]): Map<string, ContractSurroundings> {
	const customers = customersByIds(work, [...new Set(shown.map(({ customerId }) => customerId))]);
	const memberIds = membersOf(
		work,
		shown.map(({ id }) => id),
	);
	const subscriptions = subscriptionsByIds(work, [...memberIds.values()].flat());
	const rows = [...subscriptions.values()];
	const versions = versionsByIds(work, [...new Set(rows.map(({ versionId }) => versionId))]);
	const products = productsByIds(work, [...new Set(rows.map(({ productId }) => productId))]);
	const latest = latestInvoicesOfContracts(
		work,
		shown.map(({ id }) => id),
	);
	const due = amountsDue(work, [...latest.values()]);
	const next = nextInvoicesOf(work, shown);
	return new Map(
		shown.map(({ id, customerId }) => [
			id,
			{
				customerRefId: customers.get(customerId)?.refId ?? "",
				subscriptions: (memberIds.get(id) ?? [])
					.map((memberId) => subscriptions.get(memberId))
					.filter((subscription) => subscription !== undefined)
					.map(({ refId, versionId, productId }) => ({
						refId,
						planDisplayName: versions.get(versionId)?.displayName ?? null,
						productDisplayName: products.get(productId)?.displayName ?? null,
					})),
				latestInvoice: latest.get(id),
				amountDue: due.get(latest.get(id)?.id ?? "") ?? zero,
				nextInvoice: next.get(id),
			},
		]),
	);
}

/** Returns the subscription of an entry, and provisions a new one first. */
export function provisioned(
	work: Work,
	{ existingSubscriptionId, newSubscription }: SubscriptionEntry,
): SubscriptionRow {
	if (newSubscription) return provisionSubscription(work, newSubscription);
	return getSubscription(work, existingSubscriptionId ?? "");
}

export const members = (work: Work, subscriptions: readonly SubscriptionRow[]): Member[] =>
	subscriptions.map((subscription) => ({
		...subscription,
		currencies: currenciesOf(work, subscription),
		hasEnded: hasEnded(statusAt(subscription, work.now)),
	}));

/** Returns the single currency of the prices of a contract's subscriptions; undefined if nothing is priced. */
export const pricedCurrencyOf = (work: Work, contract: Pick<StatedContract, "id">): string | undefined =>
	groupedBy(work, contract).flatMap((subscription) => currenciesOf(work, subscription))[0];

/** Returns the subscriptions of a contract, in order. */
export function groupedBy(work: Work, { id }: Pick<StatedContract, "id">): SubscriptionRow[] {
	const memberIds = membersOf(work, [id]).get(id) ?? [];
	const subscriptions = subscriptionsByIds(work, memberIds);
	return memberIds.map((memberId) => subscriptions.get(memberId)).filter((subscription) => subscription !== undefined);
}
