import { fail } from "../../kernel/errors";
import { type SubscriptionEntry, type SubscriptionsAdd, subscriptionsMax } from "./schema";

/** The attributes of a subscription that the rules of membership use. */
export interface Member {
	readonly refId: string;
	readonly customerId: string;
	readonly productId: string;
	readonly pricingType: "FREE" | "PAID" | "CUSTOM";
	readonly paymentCollectionMethod: "CHARGE" | "INVOICE" | "NONE" | null;
	/** The currencies of its prices; none if nothing is priced. */
	readonly currencies: readonly string[];
	/** The row id of its current contract. */
	readonly contractId: string | null;
	readonly contractRefId: string | null;
	/** It stays on its contract, and no longer counts for its product. */
	readonly hasEnded: boolean;
}

/** A call adds subscriptions in one of two ways. */
export function assertEntriesOrIds({ subscriptions, subscriptionIds }: SubscriptionsAdd): void {
	if ((subscriptions === undefined) === (subscriptionIds === undefined))
		throw fail("BadUserInput", "body: give exactly one of 'subscriptions' and 'subscriptionIds'.");
}

/** Each entry names exactly one of the two (docs/interface/contracts.md). */
export function assertOneOfTwo(entries: readonly SubscriptionEntry[]): void {
	const at = entries.findIndex(
		({ existingSubscriptionId, newSubscription }) =>
			(existingSubscriptionId === undefined) === (newSubscription === undefined),
	);
	if (at >= 0)
		throw fail(
			"BadUserInput",
			`body/subscriptions/${at}: give exactly one of 'existingSubscriptionId' and 'newSubscription'.`,
		);
}

/**
 * Checks a whole group: custom-priced subscriptions of one customer, on no other contract, one of each product, in one
 * billing currency (docs/interface/contracts.md). `contract` is its row id; undefined for a new contract.
 * InvalidArgumentError; DuplicatedEntityNotAllowed for a second one of a product.
 */
export function assertMembers(
	{ id, customerId }: { readonly id?: string; readonly customerId: string },
	members: readonly Member[],
): void {
	if (members.length > subscriptionsMax)
		throw fail(
			"InvalidArgumentError",
			`A contract groups at most ${subscriptionsMax} subscriptions, not ${members.length}; put the others on a second contract.`,
		);
	for (const member of members) assertMember(id, customerId, member);
	const byProduct = new Map<string, Member>();
	for (const member of members.filter(({ hasEnded }) => !hasEnded)) {
		const other = byProduct.get(member.productId);
		if (other)
			throw fail(
				"DuplicatedEntityNotAllowed",
				`The subscriptions '${other.refId}' and '${member.refId}' are to the same product; a contract takes one of each.`,
			);
		byProduct.set(member.productId, member);
	}
	const currencies = [...new Set(members.flatMap((member) => member.currencies))];
	if (currencies.length > 1)
		throw fail(
			"InvalidArgumentError",
			`The subscriptions are priced in ${currencies.join(" and ")}; a contract has one billing currency.`,
		);
}

function assertMember(contractId: string | undefined, customerId: string, member: Member): void {
	if (member.customerId !== customerId)
		throw fail("InvalidArgumentError", `The subscription '${member.refId}' belongs to another customer.`);
	if (!isCustomPriced(member))
		throw fail(
			"InvalidArgumentError",
			`The subscription '${member.refId}' is not custom-priced; a contract takes subscriptions to custom plans, or to paid ones whose payment collection method is NONE.`,
		);
	if (member.contractId !== null && member.contractId !== contractId)
		throw fail(
			"InvalidArgumentError",
			`The subscription '${member.refId}' is on the contract '${member.contractRefId}' already; remove it there first.`,
		);
}

const isCustomPriced = ({ pricingType, paymentCollectionMethod }: Member): boolean =>
	pricingType === "CUSTOM" || (pricingType === "PAID" && paymentCollectionMethod === "NONE");
