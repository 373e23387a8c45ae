import type { Work } from "../../kernel/work";
import { getCustomerById } from "../customers/operations";
import { ensureDefaultLegalEntity } from "../legal-entities/operations";
import type { Renewal } from "../pricing/rules.renewal";
import { cancelSubscription, changeable, getSubscription, setContract } from "../subscriptions/operations";
import { hasEnded } from "../subscriptions/rules.status";
import type { SubscriptionRow } from "../subscriptions/table";
import { restoreInForce } from "./billing/amendments/operations";
import { planNext } from "./billing/operations.due";
import { getContract, group, groupedBy, members, nameOf, provisioned } from "./operations";
import { assertRenewable, readRenewal, readWindow } from "./rules";
import { assertEntriesOrIds, assertMembers, assertOneOfTwo } from "./rules.membership";
import { nextPhase } from "./rules.states";
import type { ContractUpdate, SubscriptionsAdd } from "./schema";
import { changeContract, type StatedContract, setBillingPhase } from "./store";

/**
 * Changes a contract; absent fields stay as they are. `subscriptionIds` replaces all grouped subscriptions; the others
 * continue alone. `setupBilling` adds the billing half and never removes it (docs/interface/contracts.md).
 * ContractNotFound, EntityIsArchivedError, SubscriptionNotFound, and the codes of the rules of membership.
 */
export function updateContract(work: Work, refId: string, input: ContractUpdate): StatedContract {
	const contract = getContract(work, refId);
	nextPhase(contract, "update");
	const customer = getCustomerById(work, contract.customerId);
	const { name, poNumber = contract.poNumber, subscriptionIds } = input;
	changeContract(work, contract, {
		poNumber,
		...(name !== undefined && { name: nameOf({ name, poNumber }, customer) }),
		...readWindow(input, contract),
	});
	if (subscriptionIds) regroup(work, contract, subscriptionsOf(work, subscriptionIds));
	if (input.setupBilling) setUpBilling(work, contract);
	if (input.renewal) setRenewal(work, getContract(work, refId), readRenewal(input.renewal));
	return getContract(work, refId);
}

/**
 * Adds subscriptions to a contract, all or none, and provisions new ones for it. A subscription on the contract stays
 * in its place. ContractNotFound, EntityIsArchivedError, SubscriptionNotFound, the codes of the rules of membership,
 * and those of provisioning.
 */
export function addSubscriptions(work: Work, refId: string, input: SubscriptionsAdd): StatedContract {
	assertEntriesOrIds(input);
	assertOneOfTwo(input.subscriptions ?? []);
	const contract = getContract(work, refId);
	nextPhase(contract, "update");
	const added = input.subscriptions
		? input.subscriptions.map((entry) => provisioned(work, entry))
		: subscriptionsOf(work, input.subscriptionIds ?? []);
	// A new subscription may have ended another of the contract, so the group is read again.
	regroup(work, contract, unique([...groupedBy(work, contract), ...added]));
	return getContract(work, refId);
}

/**
 * Removes a subscription from its contract; the subscription continues. A subscription that is not on this contract
 * changes nothing.
 */
export function unlinkSubscription(work: Work, refId: string, subscriptionRefId: string): StatedContract {
	const contract = getContract(work, refId);
	const unlinked = getSubscription(work, subscriptionRefId);
	nextPhase(contract, "update");
	const remaining = groupedBy(work, contract).filter(({ id }) => id !== unlinked.id);
	regroup(work, contract, remaining);
	return getContract(work, refId);
}

/**
 * Cancels the contract, its billing and all its subscriptions at once, all or nothing. Archiving twice is not an error.
 * ContractNotFound, and the codes of canceling a subscription.
 */
export function archiveContract(work: Work, refId: string): StatedContract {
	const contract = getContract(work, refId);
	const phase = nextPhase(contract, "archive");
	if (contract.archivedAt !== null) return contract;
	for (const { refId: subscriptionRefId } of groupedBy(work, contract))
		if (!hasEnded(changeable(work, subscriptionRefId).status))
			cancelSubscription(work, subscriptionRefId, { cancellationTime: "IMMEDIATE" });
	restoreInForce(work, contract);
	setBillingPhase(work, contract, phase);
	changeContract(work, contract, { archivedAt: work.now });
	planNext(work, contract);
	return getContract(work, refId);
}

function setUpBilling(work: Work, contract: StatedContract): void {
	const phase = nextPhase(contract, "setUpBilling");
	if (contract.billingState !== null) return;
	ensureDefaultLegalEntity(work);
	setBillingPhase(work, contract, phase);
}

/** A term that is renewed already stays renewed. */
function setRenewal(work: Work, contract: StatedContract, renewal: Renewal | null): void {
	assertRenewable(contract, renewal);
	changeContract(work, contract, { renewal });
	planNext(work, contract);
}

/** Links added subscriptions and unlinks removed ones. The rules apply to all subscriptions together. */
function regroup(work: Work, contract: StatedContract, subscriptions: readonly SubscriptionRow[]): void {
	assertMembers(contract, members(work, subscriptions));
	const staying = new Set(subscriptions.map(({ id }) => id));
	for (const grouped of groupedBy(work, contract)) if (!staying.has(grouped.id)) setContract(work, grouped, null);
	group(work, contract, subscriptions);
}

const subscriptionsOf = (work: Work, refIds: readonly string[]): SubscriptionRow[] =>
	unique(refIds.map((refId) => getSubscription(work, refId)));

const unique = (subscriptions: readonly SubscriptionRow[]): SubscriptionRow[] => [
	...new Map(subscriptions.map((subscription) => [subscription.id, subscription])).values(),
];
