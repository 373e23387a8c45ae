import { expect, test } from "bun:test";
import { carryOutDue } from "../../../src/areas/credits/operations.due";
import { voidGrant } from "../../../src/areas/credits/operations.void";
import { findWallet } from "../../../src/areas/credits/store.wallets";
import { actor, ground } from "./ground";

/** The types of the emitted events about credits, in their order. */
function observed() {
	const one = ground();
	const types = () =>
		one.db.$client
			.query<{ type: string }, []>("SELECT type FROM outbox_events WHERE type LIKE 'credit_%' ORDER BY position")
			.all()
			.map(({ type }) => type);
	return { ...one, types };
}

test("a grant emits its creation, its activation at a later date, and its expiry", () => {
	const { grant, clock, at, transactions, wallet, types } = observed();
	grant("scheduled", 5, { effectiveAt: at(1), expireAt: at(2) });
	expect(types()).toEqual(["credit_grant.created"]);
	clock.at = at(3);
	transactions.write(actor, (work) => carryOutDue(work, findWallet(work, wallet)?.id ?? ""));
	expect(types()).toEqual(["credit_grant.created", "credit_grant.updated", "credit_grant.expired"]);
});

test("voiding emits that the grant is voided", () => {
	const { grant, transactions, types } = observed();
	const granted = grant("first", 5);
	transactions.write(actor, (work) => voidGrant(work, granted));
	expect(types()).toEqual(["credit_grant.created", "credit_grant.voided"]);
});

test("consumption emits a depleted grant and a depleted balance once; an overdraft emits no grant", () => {
	const { grant, draw, types } = observed();
	grant("first", 5);
	grant("second", 5);
	draw(5);
	expect(types().slice(2)).toEqual(["credit_grant.depleted"]);
	draw(9);
	draw(1);
	expect(types().slice(3)).toEqual(["credit_grant.depleted", "credit_balance.depleted"]);
});
